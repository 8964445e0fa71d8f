import { beforeEach, expect, it, vi } from 'vitest'
import { notices, notify } from './notices.ts'

beforeEach(() => {
  for (const notice of notices.read()) notices.close(notice.id)
})

const texts = () => notices.read().map((notice) => `${notice.kind}: ${notice.text}`)

it('keeps messages in order of arrival', () => {
  notify.alert('No VMs selected')
  notify.status('Done')
  expect(texts()).toEqual(['alert: No VMs selected', 'status: Done'])
})

it('removes an alert when a later action has a result, or on navigation', () => {
  notify.alert('No VMs selected')
  notify.alert('Another of the same action')
  notices.noteAction()
  expect(texts()).toHaveLength(2)
  notify.status('Done')
  expect(texts()).toEqual(['status: Done'])
  notify.alert('Failed')
  notices.clearAlerts()
  expect(texts()).toEqual(['status: Done'])
})

it('replaces a repeated message', () => {
  notify.alert('No VMs selected')
  const [first] = notices.read()
  notify.alert('No VMs selected')
  expect(texts()).toEqual(['alert: No VMs selected'])
  expect(notices.read()[0]!.id).not.toBe(first!.id)
})

it('notifies listeners of each change until they unsubscribe', () => {
  let calls = 0
  const leave = notices.subscribe(() => calls++)
  notify.status('One')
  leave()
  notify.status('Two')
  expect(calls).toBe(1)
})

it('removes a result after eight seconds, also if dialogs open and close in the meantime', () => {
  vi.useFakeTimers()
  try {
    notify.status('Saved')
    notify.alert('Failed')
    vi.advanceTimersByTime(7_000)
    notices.rerender()
    expect(texts()).toHaveLength(2)
    vi.advanceTimersByTime(1_000)
    expect(texts()).toEqual(['alert: Failed'])
  } finally {
    vi.useRealTimers()
  }
})
