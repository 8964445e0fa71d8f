/** Returns the files of a guide with one task and one question. */
export function minimalGuide(id: string): Map<string, Buffer> {
  const files: Record<string, string> = {
    'guide.yaml': `format: 1
id: ${id}
title: Guide ${id}
summary: One task and one question.
language: en
minutes: 5
machines: [{name: desk, os: linux}]
steps:
  - id: one
    title: One
    text: one.md
    tasks: [{id: task, title: Create a file, checks: [{id: file, title: The file exists, run: check.sh}], solve: [{run: solve.sh}]}]
    questions: [{id: question, kind: one, text: Which?, choices: [a, b], answer: 0}]
`,
    'one.md': 'Create a file.\n\n::task{task}\n\n::question{question}\n',
    'check.sh': '#!/bin/bash\ntest -e /srv/file || exit 1\n',
    'solve.sh': '#!/bin/bash\ntouch /srv/file\n',
  }
  return new Map(Object.entries(files).map(([path, text]) => [path, Buffer.from(text)]))
}
