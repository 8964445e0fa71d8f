/** Files of a new guide: one step with one task, which can be saved and proven as it is. */
export const SKELETON: ReadonlyMap<string, string> = new Map([
  [
    'guide.yaml',
    `format: 1
id: new-guide
title: New guide
summary: What learners do, in one sentence.
language: en
minutes: 10
machines: [{ name: desk, os: linux }]
steps:
  - id: note
    title: Write a note
    text: steps/1-note.md
    tasks:
      - id: note
        title: Write hello into notes.txt
        points: 5
        checks:
          - { id: exists, title: The file exists, run: checks/note.sh, as: learner }
        hints: [{ text: '\`>\` writes to a file.', cost: 1 }]
        solve: [{ run: solves/note.sh, as: learner }]
`,
  ],
  [
    'steps/1-note.md',
    `# Write a note

Look at your home directory:

\`\`\`sh run
ls -l
\`\`\`

::task{note}
`,
  ],
  [
    'checks/note.sh',
    `#!/bin/bash
# Ends with 0 if the task is done, with 1 if it is not. The last line of the output is shown to the learner.
grep -qs hello ~/notes.txt && exit 0
echo "There is no file notes.txt with the word hello in your home directory."
exit 1
`,
  ],
  [
    'solves/note.sh',
    `#!/bin/bash
echo hello > ~/notes.txt
`,
  ],
])
