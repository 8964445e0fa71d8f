import { expect, test } from 'vitest'
import { isPrompt } from './prompt.ts'

test.each(['learner@lab:~$ ', 'root@lab:/# ', 'PS /home/learner> ', '❯ '])('recognises the prompt %s', (line) => {
  expect(isPrompt(line)).toBe(true)
})

test.each(['', 'Welcome to lab. It is emulated', '0 updates can be applied.', 'learner@lab:~$ ls'])(
  'does not take %s for a prompt',
  (line) => {
    expect(isPrompt(line)).toBe(false)
  },
)
