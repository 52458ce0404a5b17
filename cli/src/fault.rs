//! Faults, which end a run: a sentence and an exit code.

use serde_json::{Value, json};
use std::borrow::Cow;
use std::fmt;
use std::path::Path;

pub type Result<T> = std::result::Result<T, Fault>;

/// The exit codes, as `stride --help` lists them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Code {
    /// The answer is no: a consumer that does not take the layout, two layouts that differ.
    No = 1,
    /// An argument that means nothing, or that does not fit the others.
    Usage = 2,
    /// A file that cannot be read, is not what its name says, or cannot be written.
    File = 3,
}

#[derive(Debug)]
pub struct Fault {
    pub code: Code,
    /// Empty if the answer says it.
    pub sentence: String,
    /// The library's own record, where it was the library that refused.
    pub record: Option<stride::Error>,
}

impl Fault {
    pub fn new(code: Code, sentence: impl Into<String>) -> Self {
        Self { code, sentence: sentence.into(), record: None }
    }

    pub fn usage(sentence: impl Into<String>) -> Self {
        Self::new(Code::Usage, sentence)
    }

    /// A fault of a file.
    pub fn file(path: &Path, why: impl fmt::Display) -> Self {
        Self::new(Code::File, format!("{}: {why}", printable(&path.to_string_lossy())))
    }

    /// The form that `--json` prints.
    pub fn as_json(&self) -> Value {
        let status = match self.code {
            Code::No => "no",
            Code::Usage => "usage",
            Code::File => "file",
        };
        let record = self.record.map(|record| {
            json!({
                "status": record.status.name(), "detail": record.detail.name(), "argument": record.argument.name(),
                "dimension": (record.dimension >= 0).then_some(record.dimension),
                "item": (record.item >= 0).then_some(record.item),
                "position": (record.position != u64::MAX).then_some(record.position),
                "lhs": record.lhs, "rhs": record.rhs,
            })
        });
        json!({"error": {"status": status, "exit": self.code as u8, "message": self.sentence, "record": record}})
    }

    /// The fault with its subject before the sentence.
    pub fn about(self, what: impl fmt::Display) -> Self {
        Self { sentence: format!("{what}: {}", self.sentence), ..self }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.sentence)
    }
}

impl std::error::Error for Fault {}

impl From<stride::Error> for Fault {
    fn from(error: stride::Error) -> Self {
        Self { record: Some(error), ..Self::usage(error.to_string()) }
    }
}

/// A name of a file or of a tensor in one, for a terminal: what would move its cursor, end the line, or reverse the
/// direction of the text is written out, `\x1b` for one.
pub fn printable(name: &str) -> Cow<'_, str> {
    let reverses =
        |c: char| matches!(c, '\u{61c}' | '\u{200e}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    if !name.chars().any(|c| c.is_control() || reverses(c)) {
        return name.into();
    }
    let written = |c: char| match c {
        '\n' => "\\n".into(),
        '\r' => "\\r".into(),
        '\t' => "\\t".into(),
        c if c.is_control() => format!("\\x{:02x}", u32::from(c)),
        c if reverses(c) => format!("\\u{:04x}", u32::from(c)),
        c => c.into(),
    };
    name.chars().map(written).collect::<String>().into()
}

/// A name that is [`printable`], shortened for a sentence.
pub fn brief(name: &str) -> Cow<'_, str> {
    const MOST: usize = 200;
    match name.char_indices().nth(MOST) {
        Some((end, _)) => printable(&name[..end]) + "…",
        None => printable(name),
    }
}

/// `println!` for an output that may be closed: `say!("{bytes} bytes")`.
#[macro_export]
macro_rules! say {
    ($($text:tt)*) => { $crate::fault::say(format_args!($($text)*)) };
}

/// Prints a line. A reader that has enough, such as `head`, ends the run, and nothing is wrong.
pub fn say(text: fmt::Arguments<'_>) {
    use std::io::Write;
    // In one piece: a terminal's buffer is written at the end of each line.
    let text = format!("{text}\n");
    match std::io::stdout().lock().write_all(text.as_bytes()) {
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => std::process::exit(0),
        Err(error) => {
            eprintln!("stride: standard output: {error}");
            std::process::exit(Code::File as i32)
        }
        Ok(()) => {}
    }
}
