//! The frame and the style that all pages share.

use minijinja::{context, Environment, Value};

use crate::svg::ink;

/// A text between tags: there only `&` and `<` mean something, and other escapes would make long texts much longer.
fn plain(text: &str) -> Value {
    Value::from_safe_string(text.replace('&', "&amp;").replace('<', "&lt;"))
}

/// A page: a template that extends `base.html`, its own style, and the values that it shows.
///
/// What bots have written reaches a page through the template library's escapes only, or as JSON without `<`.
///
/// # Errors
/// If the template can't be filled in.
pub fn render(template: &'static str, style: &str, values: Value) -> Result<String, minijinja::Error> {
    let mut environment = Environment::new();
    environment.add_filter("plain", plain);
    environment.add_template("base.html", include_str!("base.html"))?;
    environment.add_template("page.html", template)?;
    let css = ink::css() + include_str!("base.css") + style;
    environment.get_template("page.html")?.render(context! { css, ..values })
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
        assert!(plain.contains("p{margin:0}") && plain.contains("--p0:") && !plain.contains("script-src"));
        let running =
            page("{% extends 'base.html' %}{% block policy %}script-src 'unsafe-inline'; {% endblock %}");
        assert!(running.contains("script-src 'unsafe-inline'; img-src data:"));
    }
}
