import { beforeEach, expect, it } from 'vitest'
import { notices, notify } from './notices.ts'

beforeEach(() => {
  for (const notice of notices.read()) notices.close(notice.id)
})

const texts = () => notices.read().map((notice) => `${notice.kind}: ${notice.text}`)

it('messages stay in the order in which they came', () => {
  notify.alert('No VMs selected')
  notify.status('Done')
  expect(texts()).toEqual(['alert: No VMs selected', 'status: Done'])
})

it('an alert goes when a later action is answered, or with its screen', () => {
  notify.alert('No VMs selected')
  notify.alert('Another of the same action')
  notices.noteAction()
  expect(texts()).toHaveLength(2)
  notify.status('Done')
  expect(texts()).toEqual(['status: Done'])
  notify.alert('Failed')
  notices.dropAlerts()
  expect(texts()).toEqual(['status: Done'])
})

it('a repeated sentence is said again and does not pile up', () => {
  notify.alert('No VMs selected')
  const [first] = notices.read()
  notify.alert('No VMs selected')
  expect(texts()).toEqual(['alert: No VMs selected'])
  expect(notices.read()[0]!.id).not.toBe(first!.id)
})

it('listeners are told of each change, until they unsubscribe', () => {
  let told = 0
  const leave = notices.subscribe(() => told++)
  notify.status('One')
  leave()
  notify.status('Two')
  expect(told).toBe(1)
})
