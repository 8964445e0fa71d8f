import { expect, test } from 'vitest'
import { emulatorSpeed } from './emulator-speed.ts'

test.each([
  [0.1, 'The emulator stands in for the cloud, 10 times as fast as Azure: a Linux machine comes up in about 8 s.'],
  [0.25, 'The emulator stands in for the cloud, 4 times as fast as Azure: a Linux machine comes up in about 19 s.'],
  [1, "The emulator stands in for the cloud, at Azure's own pace: a Linux machine comes up in about 77 s."],
  [0, 'The emulator stands in for the cloud and takes no time.'],
])('at a factor of %f people are told how fast the emulator is', (latency, line) => {
  expect(emulatorSpeed(latency)).toBe(line)
})
