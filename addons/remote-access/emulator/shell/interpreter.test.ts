import { beforeEach, describe, expect, test } from 'vitest'
import { makeFiles } from './computer.ts'
import { Interpreter } from './interpreter.ts'

const facts = { uid: 'u', name: 'lab-1', hostname: 'lab-1', account: 'learner', address: '203.0.113.1', cores: 2 }
const noon = Date.parse('2026-01-02T12:00:00Z')
let shutdowns = 0
let shell: Interpreter

beforeEach(() => {
  shutdowns = 0
  shell = new Interpreter({
    facts,
    files: makeFiles(facts, () => noon),
    home: '/home/learner',
    now: () => noon,
    bootedAt: () => noon - 90 * 60_000,
    recordLine: () => {},
    halt: () => (shutdowns += 1),
  })
})
const output = (line: string) => {
  const { out, err } = shell.run(line)
  return out + err
}

describe('files', () => {
  test('creates, lists, reads, appends to and removes files', () => {
    expect(output('mkdir work && cd work && pwd')).toBe('/home/learner/work\n')
    expect(output('echo "one  two" > note.txt; echo three >> note.txt; cat note.txt')).toBe('one  two\nthree\n')
    expect(output('touch empty; ls')).toBe('empty     note.txt\n')
    expect(output('ls -l note.txt')).toMatch(/^-rw-r--r-- 1 learner learner +15 2026-01-02 12:00 note.txt\n$/)
    expect(output('rm note.txt; ls; cd ..; rm work')).toBe('empty\nrm: work: Is a directory\n')
    expect(output('rm -r work; ls ~')).toBe('README.txt\n')
  })

  test('reports errors with the messages of a shell', () => {
    expect(output('cat nothing')).toBe('cat: nothing: No such file or directory\n')
    expect(output('cd /etc/hostname')).toBe('cd: /etc/hostname: Not a directory\n')
    expect(output('mkdir /tmp')).toBe('mkdir: /tmp: File exists\n')
    expect(output('echo x > /nowhere/x')).toBe('sh: /nowhere/x: No such file or directory\n')
    expect(output('cat ../../../../../../etc/passwd')).toBe(
      'cat: ../../../../../../etc/passwd: No such file or directory\n',
    )
  })

  test('limits the size of the disk', () => {
    expect(output('seq 20000 > a')).toBe('')
    const doubled = Array.from({ length: 12 }, () => output('cat a a > b; cat b > a')).join('')
    expect(doubled).toContain('No space left on device')
  })
})

test('runs joined, piped and quoted commands', () => {
  expect(output("seq 30 | tail -n 2; echo 'a|b;c' | wc")).toBe('29\n30\n      1       1       6\n')
  expect(output('clear; echo after')).toBe('\x1b[H\x1b[2J\x1b[3Jafter\n')
  expect(output('false && echo no || echo yes')).toBe('yes\n')
  expect(output('cat /etc/os-release | grep -i pretty')).toContain('Trainyard emulated Linux')
  expect(output('nosuch')).toBe('nosuch: command not found (type help for a list)\n')
  expect(output('echo $? "$USER" $HOME')).toBe('127 learner /home/learner\n')
  expect(output('echo "unclosed')).toBe('sh: syntax error: a quote is not closed\n')
  expect(output('echo a |')).toBe('sh: syntax error: unexpected end of line\n')
  expect(output('constructor; __proto__')).toContain('constructor: command not found')
})

test('evaluates expansions in order', () => {
  expect(output('echo $((6*7)) $(( (1 + 2) * -3 )) "$((7 / 2))$((7 % 2))"')).toBe('42 -9 31\n')
  expect(output('cd /tmp; echo $PWD ${USER} ~; false; echo $?')).toBe('/tmp learner /home/learner\n1\n')
  expect(output('echo $((1/0))')).toBe('sh: division by 0\n')
  expect(output('echo $((2 ** 3))')).toContain('is not supported')
  expect(output('cd; touch a.txt b.txt c.md; echo *.txt ?.md *.nothing; ls *.txt; rm *.txt; ls')).toBe(
    'README.txt a.txt b.txt c.md *.nothing\nREADME.txt\na.txt\nb.txt\nc.md\n',
  )
  expect(output(`echo '*' "$((1+1))" '$((1+1))'`)).toBe('* 2 $((1+1))\n')
})

test('counts and filters like the real commands', () => {
  expect(output("echo -n 'é' | wc -c; echo one two | wc -w; seq 3 | wc -l")).toBe('2\n2\n3\n')
  expect(output('echo one > a; echo one two > b; wc -l a b; wc a')).toBe('1 a\n1 b\n2 total\n1 1 4 a\n')
  expect(output('seq 12 | grep -c 1; seq 12 | grep ^1.$; seq 3 | grep -v 2; seq 3 | head -1')).toBe(
    '4\n10\n11\n12\n1\n3\n1\n',
  )
  expect(output("echo -e 'a\\tb'; uname -sm; date")).toBe('a\tb\nLinux x86_64\nFri Jan  2 12:00:00 UTC 2026\n')
})

test.each([
  'echo $(whoami)',
  'echo `whoami`',
  'echo "$(whoami)"',
  'ls 2>/dev/null',
  'ls > out 2>&1',
  'cat < /etc/hosts',
  'sleep 1 &',
  '(cd /tmp)',
  'echo ${USER:-x}',
  'wc --help',
  'ls -t',
  'tail -f /var/log/x',
  "grep 'a.*b' README.txt",
  'date +%Y',
  'for i in 1 2; do echo $i; done',
])('refuses %s instead of a wrong answer', (line) => {
  const { out, err, code } = shell.run(line)
  expect({ out, failed: code !== 0, output: /supported|not found/.test(err) }).toEqual({
    out: '',
    failed: true,
    output: true,
  })
})

test('reports user, host and uptime', () => {
  expect(output('whoami; hostname; uname; nproc')).toBe('learner\nlab-1\nLinux\n2\n')
  expect(output('uptime')).toMatch(/^ 12:00:00 up 1:30,/)
  expect(output('ps')).toContain('sshd')
  for (const name of ['ls', 'shutdown', 'history']) expect(output('help')).toContain(name)
})

test('runs sudo as root', () => {
  expect(output('sudo whoami; sudo id')).toBe('root\nuid=0(root) gid=0(root) groups=0(root)\n')
  expect(output('sudo -u somebody whoami')).toContain('is not supported')
  expect(output('sudo sudo whoami; whoami')).toBe('root\nlearner\n')
})

test('returns the effects of shutdown and exit', () => {
  expect(shell.run('sudo shutdown -h now')).toMatchObject({ code: 0, effect: 'halt' })
  expect(shell.run('shutdown -h 20:00')).toMatchObject({ code: 1, effect: null })
  expect(shell.run('exit 3')).toMatchObject({ code: 3, effect: 'exit' })
})

test('runs a script line by line until it exits', () => {
  const script =
    '#!/bin/sh\nexport WORD=x; cd /\n# a comment\ntest -f "$1" && exit 0\necho "no $1, $WORD"\nexit 3\necho more\n'
  expect(shell.runScript(script, ['/etc/none'])).toMatchObject({ out: 'no /etc/none, x\n', code: 3, effect: 'exit' })
  expect(shell.runScript(script, ['/etc/hostname'])).toMatchObject({ out: '', code: 0 })
  expect(output('test -d /etc && test a = a; test -e /none || echo none; test 1 -lt 2; export 1=2')).toBe(
    'none\ntest: only -e, -f, -d and = are supported: this machine is emulated\nexport: 1=2: not a valid identifier\n',
  )
})
