import { expect, test } from 'vitest'
import { LineEditor, type Typed } from '#src/ssh/shell/line-editor.ts'

/**
 * Returns the screen of a terminal this wide after all that was written to it. It knows only the editor's sequences.
 */
function screenOf(written: string, columns: number): string[] {
  const rows: string[][] = [[]]
  let [row, column] = [0, 0]
  // oxlint-disable-next-line no-control-regex -- what a terminal reads begins with one
  for (const [, sequence, character] of written.matchAll(/(\u001B\[[\d;]*[A-Z])|([^])/g)) {
    if (character === '\r') column = 0
    else if (character === '\n') rows[(row += 1)] ??= []
    else if (sequence?.endsWith('A')) row -= Number(sequence.slice(2, -1))
    else if (sequence?.endsWith('C')) column += Number(sequence.slice(2, -1))
    else if (sequence === '\x1b[J') {
      rows[row] = rows[row]!.slice(0, column)
      rows.length = row + 1
    } else if (character !== undefined) {
      if (column === columns) {
        column = 0
        rows[(row += 1)] ??= []
      }
      rows[row]![column] = character
      column += 1
    }
  }
  return rows.map((cells) => cells.join('').trimEnd())
}

function typing(history: string[] = [], columns = 80) {
  let written = ''
  const typed: Typed[] = []
  const editor = new LineEditor((text) => (written += text), history)
  editor.columns = columns
  editor.ask('$ ')
  return {
    press(...keys: string[]) {
      for (const key of keys) editor.feed(key, (what) => typed.push(what))
      return typed.at(-1)
    },
    screen: () => screenOf(written, columns),
  }
}
const UP = '\x1b[A'
const DOWN = '\x1b[B'
const LEFT = '\x1b[D'

test('keys edit the line, wherever the cursor stands', () => {
  const { press, screen } = typing()
  expect(press('ac', LEFT, 'b', '\x05', 'd!', '\x7f')).toBeUndefined()
  expect(screen()).toEqual(['$ abcd'])
  expect(press('\x01', 'x', '\x1b[3~', '\r')).toEqual({ kind: 'line', text: 'xbcd' })
})

test('a word, all before and all after the cursor go at a key', () => {
  expect(typing().press('ls  one two', '\x17', '\r')).toEqual({ kind: 'line', text: 'ls  one ' })
  expect(typing().press('ls one', LEFT, '\x15', '\r')).toEqual({ kind: 'line', text: 'e' })
  expect(typing().press('ls one', LEFT, LEFT, '\x0b', '\r')).toEqual({ kind: 'line', text: 'ls o' })
})

test('the arrows go through what was typed before, and back to what one was typing', () => {
  const { press, screen } = typing(['first', 'second'])
  press('dra', UP, UP, UP)
  expect(screen()).toEqual(['$ first'])
  press(DOWN)
  expect(screen()).toEqual(['$ second'])
  expect(press(DOWN, 'ft', '\r')).toEqual({ kind: 'line', text: 'draft' })
})

test('Ctrl-C, Ctrl-D on an empty line, and a sequence that comes in pieces', () => {
  expect(typing().press('abc', '\x03')).toEqual({ kind: 'interrupt' })
  expect(typing().press('\x04')).toEqual({ kind: 'end' })
  const { press, screen } = typing(['before'])
  press('\x1b', '[', 'A')
  expect(screen()).toEqual(['$ before'])
})

test('a line longer than the terminal is edited across its rows', () => {
  const { press, screen } = typing([], 10)
  press('abcdefghijklmnop')
  expect(screen()).toEqual(['$ abcdefgh', 'ijklmnop'])
  press('\x01', 'X')
  expect(screen()).toEqual(['$ Xabcdefg', 'hijklmnop'])
  press('\x05', '\x7f', 'Z')
  expect(screen()).toEqual(['$ Xabcdefg', 'hijklmnoZ'])
  press('\x15')
  expect(screen()).toEqual(['$'])
})
