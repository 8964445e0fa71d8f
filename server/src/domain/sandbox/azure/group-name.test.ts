import { describe, expect, test } from 'vitest'
import { groupNameOf } from '@trainyard/contract/words/sandbox.ts'
import { ownGroupName } from './group-name.ts'

const USER = '0198c0de-0000-7000-8000-000000000001'
const PREFIX = groupNameOf(USER, 'x').slice(0, -'x-sandbox'.length)

describe('the name of a sandbox’s group', () => {
  test.each(['a', 'abcde', 'A-_9'])('may hold %s', (name) => {
    expect(ownGroupName(USER, `${PREFIX}${name}-sandbox`)).toBe(groupNameOf(USER, name))
    expect(ownGroupName(USER, `${PREFIX}${name}-SANDBOX`)).toBe(groupNameOf(USER, name))
  })

  test.each([
    ['without its end', `${PREFIX}one`],
    ['with another end', `${PREFIX}one-sandboxes`],
    ['without its beginning', 'one-sandbox'],
    ['with the beginning of another user', `11111111-one-sandbox`],
    // Both are there, but share a hyphen.
    ['with nothing between', `${PREFIX.slice(0, -1)}-sandbox`],
  ])('is refused %s', (_, asked) => {
    expect(() => ownGroupName(USER, asked)).toThrow(`resourceGroupName must be ${PREFIX}NAME-sandbox.`)
  })

  test.each(['', 'sixsix'])('is refused with %j in the middle', (name) => {
    expect(() => ownGroupName(USER, `${PREFIX}${name}-sandbox`)).toThrow('1 to 5 characters long')
  })

  test.each(['a b', 'é', 'a/b'])('is refused with the signs of %j', (name) => {
    expect(() => ownGroupName(USER, `${PREFIX}${name}-sandbox`)).toThrow('only letters, digits, hyphens')
  })
})
