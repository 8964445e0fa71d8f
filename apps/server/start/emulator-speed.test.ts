import { expect, test } from 'vitest'
import { emulatorSpeed } from './emulator-speed.ts'

test.each([
  [0.1, 'The cloud is emulated, 10 times as fast as Azure: a Linux machine starts in about 8 s.'],
  [0.25, 'The cloud is emulated, 4 times as fast as Azure: a Linux machine starts in about 19 s.'],
  [1, "The cloud is emulated, at Azure's own speed: a Linux machine starts in about 77 s."],
  [0, 'The cloud is emulated, without delays.'],
])('at a latency factor of %f states the speed of the emulator', (latency, line) => {
  expect(emulatorSpeed(latency)).toBe(line)
})
