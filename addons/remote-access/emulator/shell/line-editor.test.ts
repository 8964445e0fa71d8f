import { expect, test } from 'vitest'
import { LineEditor, type TypedResult } from './line-editor.ts'

/** Returns the screen of a terminal of this width after all output. Supports only the editor's escape sequences. */
function screenOf(written: string, columns: number): string[] {
  const rows: string[][] = [[]]
  let [row, column] = [0, 0]
  // oxlint-disable-next-line no-control-regex -- escape sequences begin with a control character
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
  const typed: TypedResult[] = []
  const editor = new LineEditor((text) => (written += text), history)
  editor.columns = columns
  editor.startLine('$ ')
  return {
    press(...keys: string[]) {
      for (const key of keys) editor.feed(key, (result) => typed.push(result))
      return typed.at(-1)
    },
    screen: () => screenOf(written, columns),
  }
}
const UP = '\x1b[A'
const DOWN = '\x1b[B'
const LEFT = '\x1b[D'

test('edits the line at the cursor', () => {
  const { press, screen } = typing()
  expect(press('ac', LEFT, 'b', '\x05', 'd!', '\x7f')).toBeUndefined()
  expect(screen()).toEqual(['$ abcd'])
  expect(press('\x01', 'x', '\x1b[3~', '\r')).toEqual({ kind: 'line', text: 'xbcd' })
})

test('deletes a word, or everything before or after the cursor', () => {
  expect(typing().press('ls  one two', '\x17', '\r')).toEqual({ kind: 'line', text: 'ls  one ' })
  expect(typing().press('ls one', LEFT, '\x15', '\r')).toEqual({ kind: 'line', text: 'e' })
  expect(typing().press('ls one', LEFT, LEFT, '\x0b', '\r')).toEqual({ kind: 'line', text: 'ls o' })
})

test('moves through the history and back to the draft', () => {
  const { press, screen } = typing(['first', 'second'])
  press('dra', UP, UP, UP)
  expect(screen()).toEqual(['$ first'])
  press(DOWN)
  expect(screen()).toEqual(['$ second'])
  expect(press(DOWN, 'ft', '\r')).toEqual({ kind: 'line', text: 'draft' })
})

test('handles Ctrl-C, Ctrl-D on an empty line and split escape sequences', () => {
  expect(typing().press('abc', '\x03')).toEqual({ kind: 'interrupt' })
  expect(typing().press('\x04')).toEqual({ kind: 'end' })
  const { press, screen } = typing(['before'])
  press('\x1b', '[', 'A')
  expect(screen()).toEqual(['$ before'])
})

test('edits a line that is longer than the terminal is wide', () => {
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
