//! A folder for the files of one test, and the tool run in it.

#![allow(dead_code)] // each test takes some of it

use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

pub struct Case(tempfile::TempDir);

#[derive(Debug)]
pub struct Out {
    pub code: i32,
    pub stdout: String,
    pub stderr: String,
}

impl Case {
    pub fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub fn write(&self, name: &str, bytes: &[u8]) {
        std::fs::write(self.path(name), bytes).unwrap();
    }

    #[track_caller]
    pub fn read(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.path(name)).unwrap()
    }

    /// All names in the folder, hidden ones too.
    pub fn names(&self) -> Vec<String> {
        let names = std::fs::read_dir(self.0.path()).unwrap();
        let mut names: Vec<_> = names.map(|one| one.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_stride"));
        command.arg("convert").args(arguments).current_dir(self.0.path()).stdin(Stdio::null());
        command
    }

    pub fn convert(&self, arguments: &[&str]) -> Out {
        Out::of(self.command(arguments).output().unwrap())
    }

    /// What a run that succeeds has written.
    #[track_caller]
    pub fn converted(&self, arguments: &[&str], name: &str) -> Vec<u8> {
        let out = self.convert(arguments);
        assert_eq!(out.code, 0, "{arguments:?}: {}", out.stderr);
        self.read(name)
    }
}

impl Out {
    pub fn of(output: Output) -> Self {
        let text = |bytes| String::from_utf8(bytes).unwrap();
        // A signal is no code.
        Self { code: output.status.code().unwrap_or(-1), stdout: text(output.stdout), stderr: text(output.stderr) }
    }
}

/// A .npy of version 1 with this text.
pub fn npy_text(text: &[u8], data: &[u8]) -> Vec<u8> {
    [b"\x93NUMPY\x01\x00", &(text.len() as u16).to_le_bytes()[..], text, data].concat()
}

/// A .npy in C order.
pub fn npy(descr: &str, shape: &str, data: &[u8]) -> Vec<u8> {
    let text = format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': ({shape}), }}\n");
    npy_text(text.as_bytes(), data)
}
