import { beforeEach, expect, it } from 'vitest'
import { notices, notify } from './notices.ts'

beforeEach(() => {
  for (const notice of notices.read()) notices.close(notice.id)
})

const texts = () => notices.read().map((notice) => `${notice.kind}: ${notice.text}`)

it('keeps the order in which things were said', () => {
  notify.alert('No VMs selected')
  notify.status('Done')
  expect(texts()).toEqual(['alert: No VMs selected', 'status: Done'])
})

it('takes an alert away when the answer to a later action comes, or another screen', () => {
  notify.alert('No VMs selected')
  notify.alert('Another of the same action')
  notices.noteAction()
  expect(texts()).toHaveLength(2)
  notify.status('Done')
  expect(texts()).toEqual(['status: Done'])
  notify.alert('Failed')
  notices.leaveScreen()
  expect(texts()).toEqual(['status: Done'])
})

it('says a repeated sentence again instead of piling it up', () => {
  notify.alert('No VMs selected')
  const [first] = notices.read()
  notify.alert('No VMs selected')
  expect(texts()).toEqual(['alert: No VMs selected'])
  expect(notices.read()[0]!.id).not.toBe(first!.id)
})

it('tells its listeners, until they leave', () => {
  let told = 0
  const leave = notices.subscribe(() => told++)
  notify.status('One')
  leave()
  notify.status('Two')
  expect(told).toBe(1)
})
