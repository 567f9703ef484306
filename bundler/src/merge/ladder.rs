//! The forms of a program, each smaller than the one before.

use crate::api::bundle::Stage;
use crate::syntax::text::Text;

/// The forms of a program, each smaller than the one before.
///
/// Each removal adds a form and keeps the earlier ones, so that it can be undone.
#[derive(Clone, Debug)]
pub struct Ladder {
    /// The forms, largest first; never empty.
    pub forms: Vec<Form>,
}

/// One form of the program.
#[derive(Clone, Debug)]
pub struct Form {
    /// The stage that produced it.
    pub stage: Stage,
    /// The text.
    pub text: Text,
}

impl Ladder {
    /// The two forms that need no compiler, with visibilities as lowered by the caller.
    pub fn new(whole: Text, reached: Text) -> Ladder {
        let form = |stage, text| Form { stage, text };
        Ladder { forms: vec![form(Stage::Inlined, whole), form(Stage::Reached, reached)] }
    }

    /// Adds a smaller form.
    pub fn push(&mut self, stage: Stage, text: Text) {
        self.forms.push(Form { stage, text });
    }

    /// The text of a stage's form.
    pub fn at(&self, stage: Stage) -> Option<&Text> {
        self.forms.iter().find(|f| f.stage == stage).map(|f| &f.text)
    }

    /// The smallest form.
    pub fn smallest(&self) -> &Text {
        // `new` makes two forms and none is ever removed.
        &self.forms[self.forms.len() - 1].text
    }
}
