import { describe, expect, test } from 'vitest'
import { groupNameOf } from '@trainyard/lab-users/contract/sandbox-words.ts'
import { ownGroupName } from './group-name.ts'

const USER = '0198c0de-0000-7000-8000-000000000001'
const PREFIX = groupNameOf(USER, 'x').slice(0, -'x-sandbox'.length)

describe('the group name of a sandbox', () => {
  test.each(['a', 'abcde', 'A-_9'])('may contain %s', (name) => {
    expect(ownGroupName(USER, `${PREFIX}${name}-sandbox`)).toBe(groupNameOf(USER, name))
    expect(ownGroupName(USER, `${PREFIX}${name}-SANDBOX`)).toBe(groupNameOf(USER, name))
  })

  test.each([
    ['without the suffix', `${PREFIX}one`],
    ['with a different suffix', `${PREFIX}one-sandboxes`],
    ['without the prefix', 'one-sandbox'],
    ['with the prefix of another user', `11111111-one-sandbox`],
    // The name has the prefix and the suffix, but they share a hyphen.
    ['without a name in between', `${PREFIX.slice(0, -1)}-sandbox`],
  ])('is rejected %s', (_, asked) => {
    expect(() => ownGroupName(USER, asked)).toThrow(`resourceGroupName must be ${PREFIX}NAME-sandbox.`)
  })

  test.each(['', 'sixsix'])('is rejected with %j in the middle', (name) => {
    expect(() => ownGroupName(USER, `${PREFIX}${name}-sandbox`)).toThrow('1 to 5 characters long')
  })

  test.each(['a b', 'é', 'a/b'])('is rejected with the characters of %j', (name) => {
    expect(() => ownGroupName(USER, `${PREFIX}${name}-sandbox`)).toThrow('only letters, digits, hyphens')
  })
})
