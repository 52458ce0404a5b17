#!/usr/bin/env python3
"""The list of parts of the C library (an SBOM, CycloneDX 1.5): parts.py FILE [--check].

The library itself and the crates that are compiled into it, with versions, licenses, sums and where they come from; not
those of its tests. Nothing in it depends on when or where it was written.
"""

import json
import os
import subprocess
import sys
import tomllib
import uuid

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def main():
    target = sys.argv[1]
    command = ["cargo", "metadata", "--locked", "--format-version", "1"]
    metadata = json.loads(subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout)
    with open(os.path.join(ROOT, "Cargo.lock"), "rb") as file:
        locked = {(of["name"], of["version"]): of for of in tomllib.load(file)["package"]}
    packages = {of["id"]: of for of in metadata["packages"]}
    nodes = {of["id"]: of for of in metadata["resolve"]["nodes"]}
    root, parts, waiting = metadata["resolve"]["root"], {}, [metadata["resolve"]["root"]]
    while waiting:
        at = waiting.pop()
        normal = [of["pkg"] for of in nodes[at]["deps"] if any(kind["kind"] is None for kind in of["dep_kinds"])]
        parts[at] = normal
        waiting += [of for of in normal if of not in parts]

    def component(at):
        of = packages[at]
        entry = {"type": "library", "bom-ref": f"pkg:cargo/{of['name']}@{of['version']}", "name": of["name"], "version": of["version"],
                 "purl": f"pkg:cargo/{of['name']}@{of['version']}", "licenses": [{"expression": of["license"]}]}
        if of["repository"]:
            entry["externalReferences"] = [{"type": "vcs", "url": of["repository"]}]
        checksum = locked[of["name"], of["version"]].get("checksum")
        if checksum:
            entry["hashes"] = [{"alg": "SHA-256", "content": checksum}]
        return entry

    of_root = component(root)
    others = sorted((component(at) for at in parts if at != root), key=lambda of: of["purl"])
    depends = [{"ref": component(at)["bom-ref"], "dependsOn": sorted(component(of)["bom-ref"] for of in of_at)} for at, of_at in parts.items()]
    bill = {"bomFormat": "CycloneDX", "specVersion": "1.5", "version": 1, "metadata": {"component": of_root}, "components": others,
            "dependencies": sorted(depends, key=lambda of: of["ref"])}
    bill["serialNumber"] = "urn:uuid:" + str(uuid.uuid5(uuid.NAMESPACE_URL, json.dumps(bill, sort_keys=True)))
    with open(target, "w") as file:
        json.dump(bill, file, indent=1)
    print(f"parts: {of_root['name']} {of_root['version']} and {len(others)} crates: {', '.join(of['name'] for of in others)}")
    if "--check" in sys.argv[2:]:
        lacking = [of["name"] for of in others if "hashes" not in of]
        if not others or lacking:
            print("without a sum:", ", ".join(lacking) or "there are no parts")
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
