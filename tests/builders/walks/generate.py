# SPDX-License-Identifier: BSD-2-Clause
"""The generator with a group of outputs more: `generate --group walks`, every legal layout and what they must look like."""

import sys
from pathlib import Path

from codegen import emit, main
from codegen.c import builders
from tests.builders.walks import oracle, walks

emit.FOLDERS.append(Path(__file__).parent)
emit.OUTPUTS += [
    emit.Output("walk.c.j2", "walk_{name}.c", lambda m: [], walks.walk_context, each=walks.walk_sets, group="walks"),
    emit.Output("walks.c.j2", "walks.c", builders.machine_items, walks.sets_context, group="walks"),
    emit.Output("oracle.json.j2", "oracle.json", builders.machine_items, oracle.oracle_context, group="walks"),
    emit.Output("corpus.txt.j2", "corpus.txt", builders.machine_items, oracle.corpus_context, group="walks"),
]
main.GROUPS.append("walks")

if __name__ == "__main__":
    sys.exit(main.main(sys.argv[1:]))
