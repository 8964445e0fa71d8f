import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { terminal } from './terminal.ts'

async function answered(keys: string): Promise<boolean> {
  const input = Object.assign(new PassThrough(), { isTTY: true })
  const output = new PassThrough()
  const answer = terminal(false, { input, output }).ask('Go on?')
  await once(output, 'data')
  input.write(keys)
  return answer
}

test.each([
  ['y', 'y\r', true],
  ['yes', 'yes\r', true],
  ['n', 'n\r', false],
  ['nothing', '\r', false],
  ['Ctrl-C', '\u0003', false],
  ['Ctrl-D', '\u0004', false],
])('the question is answered: %s', async (_name, keys, agreed) => {
  expect(await answered(keys)).toBe(agreed)
})

test('without a terminal the answer is no', async () => {
  const output = new PassThrough()
  expect(await terminal(false, { input: new PassThrough(), output }).ask('Go on?')).toBe(false)
  expect(String(output.read())).toMatch(/Use --yes to agree/)
})
