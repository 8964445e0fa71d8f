import { beforeEach, describe, expect, test } from 'vitest'
import { makeFiles } from '#src/ssh/shell/computer.ts'
import { Interpreter } from '#src/ssh/shell/interpreter.ts'

const facts = { uid: 'u', name: 'lab-1', hostname: 'lab-1', account: 'learner', address: '203.0.113.1', cores: 2 }
const noon = Date.parse('2026-01-02T12:00:00Z')
let halted = 0
let shell: Interpreter

beforeEach(() => {
  halted = 0
  shell = new Interpreter({
    facts,
    files: makeFiles(facts, () => noon),
    home: '/home/learner',
    now: () => noon,
    bootedAt: () => noon - 90 * 60_000,
    halt: () => (halted += 1),
  })
})
const said = (line: string) => {
  const { out, err } = shell.run(line)
  return out + err
}

describe('files', () => {
  test('are made, listed, read, appended to and removed', () => {
    expect(said('mkdir work && cd work && pwd')).toBe('/home/learner/work\n')
    expect(said('echo "one  two" > note.txt; echo three >> note.txt; cat note.txt')).toBe('one  two\nthree\n')
    expect(said('touch empty; ls')).toBe('empty     note.txt\n')
    expect(said('ls -l note.txt')).toMatch(/^-rw-r--r-- 1 learner learner +15 2026-01-02 12:00 note.txt\n$/)
    expect(said('rm note.txt; ls; cd ..; rm work')).toBe('empty\nrm: work: Is a directory\n')
    expect(said('rm -r work; ls ~')).toBe('README.txt\n')
  })

  test('say what is wrong in the words of a shell', () => {
    expect(said('cat nothing')).toBe('cat: nothing: No such file or directory\n')
    expect(said('cd /etc/hostname')).toBe('cd: /etc/hostname: Not a directory\n')
    expect(said('mkdir /tmp')).toBe('mkdir: /tmp: File exists\n')
    expect(said('echo x > /nowhere/x')).toBe('sh: /nowhere/x: No such file or directory\n')
    expect(said('cat ../../../../../../etc/passwd')).toBe(
      'cat: ../../../../../../etc/passwd: No such file or directory\n',
    )
  })

  test('have an end', () => {
    expect(said('seq 20000 > a')).toBe('')
    const doubled = Array.from({ length: 12 }, () => said('cat a a > b; cat b > a')).join('')
    expect(doubled).toContain('No space left on device')
  })
})

test('lines are joined, piped and quoted', () => {
  expect(said("seq 30 | tail -n 2; echo 'a|b;c' | wc")).toBe('29\n30\n1 1 6\n')
  expect(said('clear; echo after')).toBe('\x1b[H\x1b[2J\x1b[3Jafter\n')
  expect(said('false && echo no || echo yes')).toBe('yes\n')
  expect(said('cat /etc/os-release | grep -i pretty')).toContain('Trainyard emulated Linux')
  expect(said('nosuch')).toBe('nosuch: command not found (help lists what there is)\n')
  expect(said('echo $? "$USER" $HOME')).toBe('127 learner /home/learner\n')
  expect(said('echo "unclosed')).toBe('sh: syntax error: a quote is not closed\n')
  expect(said('echo a |')).toBe('sh: syntax error: unexpected end of line\n')
  expect(said('constructor; __proto__')).toContain('constructor: command not found')
})

test('it says who and where one is, and how long', () => {
  expect(said('whoami; hostname; uname; nproc')).toBe('learner\nlab-1\nLinux\n2\n')
  expect(said('uptime')).toMatch(/^ 12:00:00 up 1:30,/)
  expect(said('ps')).toContain('sshd')
  for (const name of ['ls', 'shutdown', 'history']) expect(said('help')).toContain(name)
})

test('shutdown is told to whoever runs it, and only now', () => {
  expect(shell.run('sudo shutdown -h now')).toMatchObject({ code: 0, effect: 'halt' })
  expect(shell.run('shutdown -h 20:00')).toMatchObject({ code: 1, effect: null })
  expect(shell.run('exit 3')).toMatchObject({ code: 3, effect: 'exit' })
})
