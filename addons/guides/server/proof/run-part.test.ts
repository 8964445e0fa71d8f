import { expect, test } from 'vitest'
import { minimalGuide } from '../../test/minimal-guide.ts'
import { readGuide } from '../format/read-guide.ts'
import type { ScriptRunner } from '../run/scripts.ts'
import { runPart } from './run-part.ts'

const FILES = minimalGuide('small').set('setup.sh', Buffer.from('#!/bin/bash\ntrue\n'))
FILES.set('guide.yaml', Buffer.from(`${FILES.get('guide.yaml')!.toString()}setup: [{run: setup.sh}]\n`))
const { guide } = readGuide(FILES)

/** Runs the setup on a machine that answers so, and returns the packages and the time limits of their list. */
async function setupOn(list: { status: number | null; output: string }, setup = 0) {
  const limits: number[] = []
  const runner: ScriptRunner = {
    texts: FILES,
    left: () => 7,
    async run({ text, seconds }) {
      const isList = text.includes('dpkg-query')
      if (isList) limits.push(seconds)
      const isSetup = text.endsWith('true\n')
      return { status: isSetup ? setup : 0, output: '', ...(isList && list), errorOutput: '', milliseconds: 1 }
    },
  }
  const { packages } = await runPart(
    runner,
    guide,
    { parts: [], tasks: [], unsolved: new Set() },
    { kind: 'setup' },
    [],
  )
  return { packages, limits }
}

const LIST =
  'ii  bash 5.2-1\nrc  nginx 1.24-2\nii  linux 6.2\nii  linux 6.1\nii  libc6 2.39\nii  libc6 2.39\niU  vim 9.1\n'

test('the installed packages are listed with all of their versions', async () => {
  expect(await setupOn({ status: 0, output: LIST })).toEqual({
    packages: { bash: '5.2-1', linux: '6.1, 6.2', libc6: '2.39' },
    limits: [7],
  })
})

test.each([
  ['failed', { status: 127, output: LIST }],
  ['was stopped', { status: null, output: LIST }],
  ['was cut', { status: 0, output: LIST.padEnd(512 * 1024, LIST) }],
  ['is empty', { status: 0, output: '' }],
])('a list of packages that %s is not known', async (_what, list) => {
  expect((await setupOn(list)).packages).toBeNull()
})

test('no packages are listed after a failed setup', async () => {
  expect(await setupOn({ status: 0, output: LIST }, 1)).toEqual({ packages: undefined, limits: [] })
})
