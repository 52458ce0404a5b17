// Runs a test program for wasm32-wasip1 in Node: cargo's runner.
import { readFile } from "node:fs/promises";
import { WASI } from "node:wasi";

const [program, ...rest] = process.argv.slice(2);
// Tests name their files by whole paths, in the project's folder. (WASI takes "/" and "." for the same.)
const preopens = { [process.cwd()]: "." };
const wasi = new WASI({ version: "preview1", args: [program, ...rest], env: process.env, preopens });
const module = await WebAssembly.compile(await readFile(program));
process.exitCode = wasi.start(await WebAssembly.instantiate(module, wasi.getImportObject()));
