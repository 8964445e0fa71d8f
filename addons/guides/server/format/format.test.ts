import { describe, expect, test } from 'vitest'
import { EXAMPLES, exampleFiles } from '../../test/example-guides.ts'
import { minimalGuide } from '../../test/minimal-guide.ts'
import { zipOf, zipOfFiles, type ZipEntry } from './zip-of.ts'
import { type Finding, UnreadableGuide } from './finding.ts'
import { checkGuide, readGuide } from './read-guide.ts'
import { wrongScript } from './script-text.ts'
import { pointsOfTask, tasksOf } from './schema.ts'
import { readZip } from './zip.ts'

/** Returns what is wrong, as `file field: sentence`, or with the line of what has no field. */
function refusal(run: () => unknown): string[] {
  try {
    run()
  } catch (error) {
    if (error instanceof UnreadableGuide) return error.findings.map(lineOf)
    throw error
  }
  return []
}
const lineOf = ({ file, line, at, sentence }: Finding) =>
  `${[file, at || (line && `line ${line}`)].filter(Boolean).join(' ')}: ${sentence}`

/** Returns what is wrong with an example of which one text was replaced. */
function changed(path: string, from: string, to: string): string[] {
  const files = exampleFiles('linux-users')
  const before = files.get(path)!.toString()
  expect(before).toContain(from)
  return refusal(() => readGuide(files.set(path, Buffer.from(before.replace(from, to)))))
}
const added = (path: string, content: string | Buffer) =>
  refusal(() => readGuide(exampleFiles('linux-users').set(path, Buffer.from(content))))

describe('the examples', () => {
  test.each(EXAMPLES)('%s is read without a finding, also from a zip archive with a folder', (name) => {
    const files = exampleFiles(name)
    const { guide, findings } = readGuide(readZip(zipOfFiles(files, `${name}/`)))
    expect(guide.id).toBe(name)
    expect(findings).toEqual([])
  })

  test('the points of a task are divided among its goals', () => {
    const { guide } = readGuide(exampleFiles('web-server'))
    expect(tasksOf(guide).reduce((sum, task) => sum + pointsOfTask(task), 0)).toBe(
      tasksOf(guide).reduce((sum, { points = 1 }) => sum + points, 0),
    )
  })
})

describe('guide.yaml', () => {
  test.each([
    ['format: 1', 'format: 2', 'guide.yaml format: The value must be one of 1.'],
    ['level: basic', 'level: easy', 'guide.yaml level: The value must be one of basic, intermediate, advanced.'],
    ['level: basic', 'levels: basic', 'guide.yaml levels: The field levels is unknown.'],
    ['level: basic', 'points: 9', 'guide.yaml points: Points belong to a task, a check or a question.'],
    ['minutes: 45', 'minutes: "45"', 'guide.yaml minutes: The value must be a number.'],
    ['minutes: 45', '', 'guide.yaml minutes: The value is missing.'],
    [
      'run: checks/account.sh',
      'run: ../account.sh',
      'guide.yaml steps.0.tasks.0.checks.0.run: The value must be a path inside the guide with letters, digits, dots, hyphens, underscores and slashes, without the parts . and ...',
    ],
    [
      'run: checks/account.sh',
      'run: checks/gone.sh',
      'guide.yaml steps.0.tasks.0.checks.0.run: The file checks/gone.sh does not exist.',
    ],
    [
      'needs: [account-ada]',
      'needs: [folder]',
      'guide.yaml steps.0.tasks.1.needs: The task folder must come before this one.',
    ],
    ['needs: [account-ada]', 'needs: [nobody]', 'guide.yaml steps.0.tasks.1.needs: There is no task nobody.'],
    ['id: group-project', 'id: account-ada', 'guide.yaml steps.0.tasks.1: There is another task account-ada.'],
    [
      'answer: 0',
      'answer: 3',
      'guide.yaml steps.1.questions.0.answer: The answer must be the number of a choice, counted from 0.',
    ],
    ['            points: 5\n', '', 'guide.yaml steps.1.tasks.0.checks: All goals of a task have points, or none.'],
    [
      'points: 20',
      'points: 21',
      'guide.yaml steps.1.tasks.0.points: The points of the checks are 20 together, those of the task 21.',
    ],
    ['timeout: 60', 'timeout: 1801', 'guide.yaml setup.0.timeout: The value must be at most 1800 seconds.'],
    // Scripts without a time limit count with its default.
    [
      'timeout: 60',
      'timeout: 181',
      'guide.yaml steps.2.setup: The setup of the guide and of the step could take 301 seconds, and at most 300 are possible.',
    ],
    [
      '    timeout: 60',
      '  - run: setup/server.sh',
      'guide.yaml setup: The setup could take 360 seconds, and at most 300 are possible.',
    ],
    [
      '- run: solves/account-ada.sh',
      '- { run: solves/account-ada.sh, timeout: 241 }\n          - run: solves/acl.sh',
      'guide.yaml steps.0.tasks.0.solve: The solution of the task could take 301 seconds, and at most 300 are possible.',
    ],
    [
      '- id: exists',
      `${[1, 2, 3, 4, 5].map((n) => `- { id: slow-${n}, title: Slow, run: checks/account.sh, timeout: 60 }\n          `).join('')}- id: exists`,
      'guide.yaml steps.0.tasks.0.checks: The checks of the task could take 330 seconds, and at most 300 are possible.',
    ],
    ['os: linux', 'os: windows', 'guide.yaml machines: Guides for Windows are not supported yet.'],
    [
      'summary: Create',
      'summary: "\\u202Ecreate" #',
      'guide.yaml summary: The value must not contain invisible characters.',
    ],
    ['id: linux-users', 'id: linux-users\nid: other', 'guide.yaml line 3: Map keys must be unique.'],
    [
      'tags: [linux, users, permissions]',
      'tags: &t [linux]',
      'guide.yaml line 8: Anchors and aliases are not allowed. Write the value out.',
    ],
  ])('%j replaced by %j is refused', (from, to, sentence) => {
    expect(changed('guide.yaml', from, to)).toContain(sentence)
  })

  test('a YAML bomb is refused without being expanded', () => {
    const bomb = [
      'a: &a [x, x]',
      ...'bcdefghij'.split('').map((key, i) => `${key}: &${key} [${`*${'abcdefghi'[i]}, `.repeat(9)}]`),
    ]
    expect(added('guide.yaml', bomb.join('\n'))).toEqual([
      'guide.yaml line 1: Anchors and aliases are not allowed. Write the value out.',
    ])
  })

  test('deep nesting is refused', () => {
    expect(added('guide.yaml', '['.repeat(100_000))).not.toEqual([])
    expect(added('guide.yaml', `${'['.repeat(60)}${']'.repeat(60)}`)).toEqual([
      'guide.yaml line 1: The values are nested too deeply.',
    ])
  })
})

describe('all that is wrong', () => {
  const of = (files: ReadonlyMap<string, Buffer>) => checkGuide(files).findings.map(lineOf)

  test('a wrong field hides nothing else, and each finding names its file, line and field', () => {
    const files = exampleFiles('linux-users')
    const yaml = files
      .get('guide.yaml')!
      .toString()
      .replace('minutes: 45', 'minutes: long')
      .replace('language: en', 'language: en\nlanguage: fr\nlevels: 3')
      .replace('title: Accounts', 'title: Accounts\n    points: 3')
      .replace('id: folder\n', 'id: Folder\n')
      .replace('run: checks/sudo-syntax.sh', 'run: checks/gone.sh')
      .replace('text: steps/4-sudo.md', 'text: steps/none.md')
    files.set('guide.yaml', Buffer.from(yaml)).set('steps/1-accounts.md', Buffer.from('::task{gone}\n'))
    files.set('checks/account.sh', Buffer.from('#!/usr/bin/perl\n')).set('key', Buffer.from('AKIAABCDEFGHIJKLMNOP'))
    files.set('i18n/de/guide.yaml', Buffer.from('title: Benutzer\nsteps:\n  - name: x\n'))
    const found = checkGuide(files).findings.filter(({ kind }) => kind === 'error')
    const lineIn = (text: string) => yaml.slice(0, yaml.indexOf(text)).split('\n').length
    const told = found.map(({ file, line, at, sentence }) => [file, line, at, sentence.split(/[.,]/)[0]])
    expect(told.filter(([file]) => file === 'guide.yaml')).toEqual([
      ['guide.yaml', lineIn('language: fr'), '', 'Map keys must be unique'],
      ['guide.yaml', lineIn('levels: 3'), 'levels', 'The field levels is unknown'],
      ['guide.yaml', lineIn('minutes: long'), 'minutes', 'The value must be a number'],
      ['guide.yaml', lineIn('points: 3'), 'steps.0.points', 'Points belong to a task'],
      ['guide.yaml', lineIn('id: Folder'), 'steps.1.tasks.0.id', expect.stringContaining('must be 1 to 63')],
      ['guide.yaml', lineIn('text: steps/none.md'), 'steps.3.text', 'The file steps/none'],
      ['guide.yaml', lineIn('run: checks/gone.sh'), expect.stringMatching(/^steps\.3\.tasks.*run$/), expect.anything()],
    ])
    expect(told.filter(([file]) => file !== 'guide.yaml').map(([file, line]) => [file, line])).toEqual([
      ['key', null],
      ['checks/account.sh', 1],
      ['steps/1-accounts.md', 1],
      ['i18n/de/guide.yaml', 3],
      ['i18n/de/guide.yaml', 3],
    ])
  })

  test('a part that cannot be read is not missed elsewhere', () => {
    const files = minimalGuide('small')
    const yaml = files.get('guide.yaml')!.toString().replace('title: Create a file,', 'points: many,')
    expect(of(files.set('guide.yaml', Buffer.from(yaml)))).toEqual([
      'guide.yaml steps.0.tasks.0.title: The value is missing.',
      'guide.yaml steps.0.tasks.0.points: The value must be a number.',
    ])
    const machine = yaml.replace('os: linux', 'os: dos').replace('points: many', 'title: A')
    expect(
      of(files.set('guide.yaml', Buffer.from(machine.replace('run: check.sh', 'machine: desk, run: check.sh')))),
    ).toEqual(['guide.yaml machines.0.os: The value must be one of linux, windows.'])
  })

  /** Returns what is wrong with the small guide of which texts were replaced. */
  const small = (...replaced: readonly (readonly [from: string, to: string])[]) => {
    const files = minimalGuide('small')
    let yaml = files.get('guide.yaml')!.toString()
    for (const [from, to] of replaced) {
      expect(yaml).toContain(from)
      yaml = yaml.replace(from, to)
    }
    return of(files.set('guide.yaml', Buffer.from(yaml)))
  }
  const CHECK = '{id: file, title: The file exists, run: check.sh}'
  const NO_NUMBER = 'The value must be a number.'

  test('an id of any type is a finding', () => {
    expect(small(['id: task,', 'id: {toString: 1},'])).toEqual([
      'guide.yaml steps.0.tasks.0.id: The value must be text.',
      // Which task was meant is not known.
      'one.md line 3: The step has no task task.',
    ])
  })

  test('an unknown field with the name of a known one hides nothing', () => {
    expect(
      small(
        ['    title: One\n', '    title: One\n    summary: x\n    constructor: y\n'],
        ['solve:', 'hints: [{text: A, title: x}], solve:'],
        ['run: check.sh', 'run: gone.sh'],
      ),
    ).toEqual([
      'guide.yaml steps.0.summary: The field summary is unknown.',
      'guide.yaml steps.0.constructor: The field constructor is unknown.',
      'guide.yaml steps.0.tasks.0.hints.0.title: The field title is unknown.',
      'guide.yaml steps.0.tasks.0.checks.0.run: The file gone.sh does not exist.',
    ])
  })

  test('two faults of one item leave its neighbours as they are', () => {
    const wrong = '{title: 1, run: 2}, {title: 3, run: 4}'
    expect(small([CHECK, `${wrong}, {id: other, title: Other, run: gone.sh}, ${CHECK}`])).toEqual([
      ...[0, 1].flatMap((check) => [
        `guide.yaml steps.0.tasks.0.checks.${check}.run: The value must be text.`,
        `guide.yaml steps.0.tasks.0.checks.${check}.id: The value is missing.`,
        `guide.yaml steps.0.tasks.0.checks.${check}.title: The value must be text.`,
      ]),
      'guide.yaml steps.0.tasks.0.checks.2.run: The file gone.sh does not exist.',
    ])
  })

  test.each([
    [
      'points of a check',
      [[CHECK, `{id: a, title: A, run: check.sh, points: 3}, ${CHECK.replace('}', ', points: x}')}`]],
      [`checks.1.points: ${NO_NUMBER}`],
    ],
    [
      'a check',
      [
        [CHECK, '{id: a, title: A, run: check.sh, points: 3}, {id: b, title: B, points: 4}'],
        ['solve:', 'points: 7, solve:'],
      ],
      ['checks.1.run: The value is missing.'],
    ],
    ['a solution', [['[{run: solve.sh}]', 'solve.sh']], ['solve: The value must be a list.']],
    ['a script', [['{run: solve.sh}', '{run: 5}']], ['solve.0.run: The value must be text.']],
  ] as const)('%s that cannot be read has no other consequence', (_what, replaced, expected) => {
    expect(small(...replaced)).toEqual(expected.map((each) => `guide.yaml steps.0.tasks.0.${each}`))
  })

  test('choices, steps and variables that cannot be read have no other consequence', () => {
    const question = 'guide.yaml steps.0.questions.0'
    expect(small(['[a, b]', '5'])).toEqual([`${question}.choices: The value must be a list.`])
    expect(small(['[a, b], answer: 0', '[a, 5, b], answer: 2'])).toEqual([
      `${question}.choices.1: The value must be text.`,
    ])
    const second = '\n  - {id: two, title: Two, text: one.md, tasks: [{id: b, needs: [task], '
    const task = `title: B, checks: [${CHECK}], solve: [{run: solve.sh}]}]}\n`
    expect(small(['    text: one.md\n', ''], ['answer: 0}]', `answer: 0}]${second}${task}`])).toEqual(
      expect.not.arrayContaining([expect.stringContaining('There is no task')]),
    )
    expect(small(['solve:', "hints: [{text: 'Use {{a}}.'}], solve:"], ['steps:', 'variables: {a: 1}\nsteps:'])).toEqual(
      ['guide.yaml variables: The value must be a list.'],
    )
  })

  test('hints and choices that cannot be read are not missed in translations', () => {
    const files = minimalGuide('small')
    const yaml = files.get('guide.yaml')!.toString()
    const wrong = yaml.replace('solve:', 'hints: [{text: A}, {text: 1}], solve:').replace('[a, b]', '[a, b, 3]')
    const hints = 'tasks: [{id: task, hints: [{text: A}, {text: B}]}]'
    const german = `steps: [{id: one, ${hints}, questions: [{id: question, choices: [a, b, c]}]}]\n`
    files.set('guide.yaml', Buffer.from(wrong)).set('i18n/de/guide.yaml', Buffer.from(german))
    expect(of(files)).toEqual([
      'guide.yaml steps.0.tasks.0.hints.1.text: The value must be text.',
      'guide.yaml steps.0.questions.0.choices.2: The value must be text.',
    ])
  })

  test('what has another cause is told at once', () => {
    // The task exists, a variable has not the name of a step, and a title says nothing about solutions.
    expect(
      small(
        ['title: Create a file', 'title: 5'],
        [', solve: [{run: solve.sh}]', ", hints: [{text: '{{one}}'}]"],
        ['    title: One\n', '    title: 5\n'],
      ),
    ).toEqual([
      'guide.yaml steps.0.title: The value must be text.',
      'guide.yaml steps.0.tasks.0.title: The value must be text.',
      'guide.yaml steps.0.tasks.0: The task has no solution, so that a proof stays incomplete.',
      'guide.yaml steps.0.tasks.0.hints.0.text: There is no variable one.',
    ])
  })

  const MANY = 20_000
  test.each([
    ['unknown fields', Array.from({ length: MANY }, (_, key) => `a${key}: 1\n`).join('')],
    ['repeated fields', 'title: A\n'.repeat(MANY)],
    ['faults of YAML', '}\n'.repeat(MANY)],
  ])('%s are found within four seconds of work', (_what, yaml) => {
    const before = process.threadCpuUsage()
    const { findings } = checkGuide(minimalGuide('small').set('guide.yaml', Buffer.from(yaml)))
    const { user, system } = process.threadCpuUsage(before)
    expect((user + system) / 1_000).toBeLessThan(4_000)
    expect(findings.map(({ sentence }) => sentence)).toContainEqual(
      expect.stringMatching(/^\d+ more values of the file are wrong\.$/),
    )
  })

  test('tasks without a solution, unknown variables of hints and a score without points are reported', () => {
    const files = minimalGuide('small')
    const yaml = files
      .get('guide.yaml')!
      .toString()
      .replace('solve: [{run: solve.sh}]', "hints: [{text: 'Use {{name}}.'}], points: 0")
      .replace('answer: 0', 'answer: 0, points: 0')
    expect(of(files.set('guide.yaml', Buffer.from(`${yaml}score: {pass: 50}\n`)))).toEqual([
      'guide.yaml steps.0.tasks.0: The task has no solution, so that a proof stays incomplete.',
      'guide.yaml steps.0.tasks.0.hints.0.text: There is no variable name.',
      'guide.yaml score: No task and no question gives points.',
    ])
  })

  const READS = 'The script reads standard input, where its own rest is.'
  test.each([
    ['#!/bin/bash\nread -r answer\nexit 1\n', [`2: ${READS}`]],
    ['#!/bin/bash\nwhile read -r line; do :; done\n', [`2: ${READS}`]],
    ['#!/bin/bash\ncat > /tmp/copy\n', [`2: ${READS}`]],
    ['#!/bin/bash\nread -r a < /etc/hostname\nwhile read -r b; do :; done < /etc/hosts\n# read x\n', []],
    ['#!/bin/bash\ncat > /tmp/x << END\nread me\n[[ a ]]\nEND\nexit 1\n', []],
    ['#!/usr/bin/env python3\nname = input()\n', [`2: ${READS}`]],
    ['#!/bin/sh\n[[ -e /a ]] && exit 0\n', ['2: Only bash runs this. Name bash in the first line.']],
    ['#!/bin/sh\nsed "s/[[:space:]]//" a | grep -q b || exit 1\n', []],
    ...["<<'END-TEXT'", '<< "END-TEXT"', '<<-END-TEXT', '<<\\END-TEXT'].map(
      (begin) => [`#!/bin/bash\ncat ${begin}\nread me\nEND-TEXT\nread -r x\n`, [`5: ${READS}`]] as [string, string[]],
    ),
    ['#!/bin/bash\nx=$((1 << 3))\nread -r x\n', [`3: ${READS}`]],
    ['#!/bin/bash\n# cat << END\nread -r x\n', [`3: ${READS}`]],
    ['#!/bin/bash\nexec 3< /etc/hosts\nread -u 3 a\nread -ru3 b\nwhile read -r -u 3 c; do :; done\n', []],
    ['#!/usr/bin/python3 -u\npass\n', ['1: Options of the first line are not used.']],
    [
      '#!/usr/bin/python3 -X dev\npass\n',
      ['1: The first line must name its interpreter without arguments, as #!/usr/bin/env python3 does.'],
    ],
    ['#!/bin/bash -e\nfalse\n', ['1: Options of the first line are not used. Write them with set.']],
  ])('of the script %j', (text, expected) => {
    expect(wrongScript('a.sh', Buffer.from(text)).map(({ line, sentence }) => `${line}: ${sentence}`)).toEqual(expected)
  })

  test('a long script is searched at once', () => {
    const before = performance.now()
    for (const part of ['<<A\n', '|\n', 'done ', '#!a ', '\n', 'while read ', '((', 'read -', "<<'"])
      wrongScript('a.sh', Buffer.from(part.repeat(60_000 / part.length)))
    expect(performance.now() - before).toBeLessThan(2_000)
  })
})

describe('files', () => {
  test.each([
    [
      'key.txt',
      '-----BEGIN OPENSSH PRIVATE KEY-----',
      'key.txt: The file contains a private key. A learner could read it.',
    ],
    [
      'checks/t.sh',
      'export T=ghp_abcdefghijklmnopqrstuvwxyz0123456789',
      'checks/t.sh: The file contains a token of GitHub. A learner could read it.',
    ],
    [
      'a b.txt',
      '',
      'a b.txt: The path must be a path inside the guide with letters, digits, dots, hyphens, underscores and slashes, without the parts . and ...',
    ],
    ['long.md', 'x'.repeat(20_000), 'long.md line 1: The line is longer than 10000 bytes.'],
    ['large.md', 'x\n'.repeat(200_000), 'large.md: The text is larger than 256 kB.'],
    [
      'checks/account.sh',
      '#!/usr/bin/perl\n',
      'checks/account.sh line 1: The first line must name bash, sh or python3, as #!/bin/bash does.',
    ],
    ['checks/account.sh', Buffer.from([0xff, 0xfe]), 'checks/account.sh: The script is not UTF-8.'],
    ['steps/1-accounts.md', Buffer.from([0xc3, 0x28]), 'steps/1-accounts.md: The text is not UTF-8.'],
    ['steps/1-accounts.md', '::task{gone}', 'steps/1-accounts.md line 1: The step has no task gone.'],
  ])('%s is refused', (path, content, sentence) => {
    expect(added(path, content)).toContain(sentence)
  })

  test('too many and too large files are refused', () => {
    const many = exampleFiles('git-basics')
    for (let index = 0; index < 500; index += 1) many.set(`files/${index}`, Buffer.alloc(0))
    expect(refusal(() => readGuide(many))).toEqual([': The guide has more than 500 files.'])
    const large = exampleFiles('git-basics').set('files/large', Buffer.alloc(5 * 1024 * 1024 + 1))
    expect(refusal(() => readGuide(large))).toEqual(['files/large: The file is larger than 5 MB.'])
  })
})

describe('translations', () => {
  const QUESTION = 'questions: [{id: question,'
  const german = (yaml: string) => minimalGuide('small').set('i18n/de/guide.yaml', Buffer.from(yaml))

  test('a folder that is no language is not used', () => {
    const files = german('title: Klein\n').set('i18n/en-utf8/guide.yaml', Buffer.from('title: Small\n'))
    const { translations, findings } = readGuide(files)
    expect(Object.keys(translations)).toEqual(['de'])
    expect(findings.map(lineOf)).toEqual([
      'i18n/en-utf8: The folder is not the one of another language, or there are more than 20.',
    ])
    expect(changed('guide.yaml', 'language: en', 'language: en-utf8')).toEqual([
      'guide.yaml language: The value must be a language such as en or pt-BR.',
    ])
  })

  test('what does not fit the guide is reported', () => {
    const task = 'tasks: [{id: task, checks: [{id: other}], hints: [{text: Hilfe}]}]'
    const { findings } = readGuide(german(`steps: [{id: one, ${task}, ${QUESTION} choices: [a, b, c]}]}]\n`))
    expect(findings.map(lineOf)).toEqual([
      'i18n/de/guide.yaml: The task task has no check other.',
      'i18n/de/guide.yaml: The hints of the task task are 0, and 1 in the translation.',
      'i18n/de/guide.yaml: The choices of the question question are 2, and 3 in the translation.',
    ])
  })

  test('bytes that are not UTF-8, and hidden characters, are refused', () => {
    const latin = german('').set('i18n/de/guide.yaml', Buffer.from([0xfc]))
    expect(refusal(() => readGuide(latin))).toEqual(['i18n/de/guide.yaml: The file is not UTF-8.'])
    const markdown = german('{}\n').set('i18n/de/one.md', Buffer.from([0xfc]))
    expect(refusal(() => readGuide(markdown))).toEqual(['i18n/de/one.md: The text is not UTF-8.'])
    expect(refusal(() => readGuide(german('title: "a\\u202Eb"\n')))).toEqual([
      'i18n/de/guide.yaml title: The value must not contain invisible characters.',
    ])
  })

  test('too many folders and too large files are not parsed', () => {
    const many = minimalGuide('small')
    for (let index = 0; index < 30; index += 1)
      many.set(
        `i18n/d${String.fromCharCode(97 + (index % 26))}${index < 26 ? '' : 'x'}/guide.yaml`,
        Buffer.from('steps: 1\n'),
      )
    expect(refusal(() => readGuide(many)).filter((line) => line.includes('The value must be'))).toHaveLength(20)
    const large = minimalGuide('small')
    for (const folder of ['da', 'de', 'fr', 'it', 'pl'])
      large.set(`i18n/${folder}/guide.yaml`, Buffer.from(`title: A\n${'# x\n'.repeat(60_000)}`))
    expect(refusal(() => readGuide(large))).toEqual(['i18n/pl/guide.yaml: The translated texts are larger than 1 MB.'])
  })
})

describe('zip archives', () => {
  const one = (entry: Partial<ZipEntry>): string[] =>
    refusal(() => readGuide(readZip(zipOf([{ path: 'guide.yaml', content: Buffer.from('x'), ...entry }]))))

  test.each([
    [{ path: '../guide.yaml' }, 'The path must be a path inside the guide'],
    [{ path: '/etc/passwd' }, 'The path must be a path inside the guide'],
    [{ path: 'a\\..\\b' }, 'The path must be a path inside the guide'],
    [{ mode: 0o120777 }, 'The archive contains a link or a device.'],
    [{ mode: 0o020666 }, 'The archive contains a link or a device.'],
    [{ flags: 1 }, 'The archive is encrypted.'],
    [{ size: 3 }, 'The file is damaged, or larger than the archive states.'],
    [{ content: Buffer.alloc(100_000), size: 10 }, 'The file is damaged, or larger than the archive states.'],
    [{ content: Buffer.alloc(6 * 1024 * 1024) }, 'The file is larger than 5 MB.'],
  ] as [Partial<ZipEntry>, string][])('an entry %# is refused', (entry, sentence) => {
    expect(one(entry).join('\n')).toContain(sentence)
  })

  test('a zip bomb is refused before it is unpacked', () => {
    const zeros = Buffer.alloc(4 * 1024 * 1024)
    const bomb = zipOf(Array.from({ length: 200 }, (_, index) => ({ path: `${index}`, content: zeros })))
    const before = performance.now()
    expect(refusal(() => readZip(bomb))).toEqual(['zip: The files of the archive are larger than 20 MB.'])
    expect(performance.now() - before).toBeLessThan(500)
  })

  test('what is no archive, or a cut one, is refused', () => {
    const whole = zipOfFiles(exampleFiles('git-basics'))
    expect(refusal(() => readZip(Buffer.from('no archive')))).toEqual(['zip: The file is not a zip archive.'])
    for (let length = 0; length < whole.length; length += 997)
      expect(refusal(() => readZip(whole.subarray(0, length)))).not.toEqual([])
    expect(refusal(() => readZip(whole.subarray(100)))).not.toEqual([])
  })
})
