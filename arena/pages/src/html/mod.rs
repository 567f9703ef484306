//! The frame and the style that all pages share.

use minijinja::{context, Environment, Value};

use crate::svg::ink;
use coppice_referee::text::turns_direction;

/// A text between tags: there only `&` and `<` mean something, and other escapes would make long texts much longer.
fn plain(text: &str) -> Value {
    Value::from_safe_string(text.replace('&', "&amp;").replace('<', "&lt;"))
}

/// A page: a template that extends `base.html`, its own style, and the values that it shows.
///
/// Bots' text reaches a page through the template library's escapes only, or as JSON without `<`; characters that turn the
/// direction of writing are named instead.
///
/// # Errors
/// If the template can't be filled in.
pub fn render(template: &'static str, style: &str, values: Value) -> Result<String, minijinja::Error> {
    let mut environment = Environment::new();
    environment.add_filter("plain", plain);
    environment.add_template("base.html", include_str!("base.html"))?;
    environment.add_template("page.html", template)?;
    let css = ink::css() + include_str!("base.css") + style;
    let page = environment.get_template("page.html")?.render(context! { css, ..values })?;
    Ok(with_direction(page))
}

/// Names the characters that turn the direction of writing instead of having them: what bots write must not turn the text
/// around it. The names also stand in JSON and in attributes.
fn with_direction(page: String) -> String {
    if !page.contains(turns_direction) {
        return page;
    }
    let named =
        |c: char| if turns_direction(c) { format!("[U+{:04X}]", u32::from(c)) } else { c.to_string() };
    page.chars().map(named).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_runs_no_script_unless_its_template_allows_it() {
        let page =
            |template| render(template, "p{margin:0}", context! { title => "<a>", text => "</p>" }).unwrap();
        let plain = page("{% extends 'base.html' %}{% block body %}<p>{{ text }}</p>{% endblock %}");
        assert!(plain.starts_with("<!doctype html>") && plain.trim_end().ends_with("</html>"), "{plain}");
        assert!(plain.contains("<title>&lt;a&gt;</title>") && plain.contains("<p>&lt;&#x2f;p&gt;</p>"));
        let between = page("{% extends 'base.html' %}{% block body %}<p>{{ text|plain }}</p>{% endblock %}");
        assert!(between.contains("<p>&lt;/p></p>"), "{between}");
        let turned = render(
            "{% extends 'base.html' %}{% block body %}<p>{{ text|plain }}</p>{% endblock %}",
            "",
            context! { title => "t", text => "a\u{202e}bשד" },
        );
        assert!(turned.unwrap().contains("<p>a[U+202E]bשד</p>"));
        assert!(plain.contains("p{margin:0}") && plain.contains("--p0:") && !plain.contains("script-src"));
        let running =
            page("{% extends 'base.html' %}{% block policy %}script-src 'unsafe-inline'; {% endblock %}");
        assert!(running.contains("script-src 'unsafe-inline'; img-src data:"));
    }
}
