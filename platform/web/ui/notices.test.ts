import { notifications, notificationsStore } from '@mantine/notifications'
import { renderToStaticMarkup } from 'react-dom/server'
import { beforeEach, expect, it, vi } from 'vitest'
import { notices, notify } from './notices.ts'

const shown = () => notificationsStore.getState().notifications
const texts = () => shown().map(({ message }) => renderToStaticMarkup(message))

beforeEach(() => {
  for (const { id } of shown()) notifications.hide(id!)
})

it('keeps messages in order of arrival, each with its role', () => {
  notify.alert('No VMs selected')
  notify.status('Done')
  expect(texts()).toEqual(['<p role="alert">No VMs selected</p>', '<p role="status">Done</p>'])
})

it('removes an alert when a later action has a result, or on navigation', () => {
  notify.alert('No VMs selected')
  notify.alert('Another of the same action')
  notices.noteAction()
  expect(texts()).toHaveLength(2)
  notify.status('Done')
  expect(texts()).toEqual(['<p role="status">Done</p>'])
  notify.alert('Failed')
  notices.clearAlerts()
  expect(texts()).toEqual(['<p role="status">Done</p>'])
})

it('drops the oldest message when a fifth arrives', () => {
  for (const text of ['One', 'Two', 'Three', 'Four', 'Five']) notify.alert(text)
  expect(texts().map((text) => text.replaceAll(/<.*?>/g, ''))).toEqual(['Two', 'Three', 'Four', 'Five'])
})

it('replaces a repeated message', () => {
  notify.alert('No VMs selected')
  const [first] = shown()
  notify.alert('No VMs selected')
  expect(texts()).toEqual(['<p role="alert">No VMs selected</p>'])
  expect(shown()[0]!.id).not.toBe(first!.id)
})

it('removes a result automatically and never an alert', () => {
  notify.status('Saved')
  notify.alert('Failed')
  expect(shown().map(({ autoClose }) => autoClose)).toEqual([8_000, false])
})

it('shows an offer for its time, and its message as long', () => {
  vi.useFakeTimers()
  try {
    notify.status('Started', { label: 'Undo', seconds: 10, run: () => undefined })
    expect(shown()[0]!.autoClose).toBe(10_000)
    vi.advanceTimersByTime(9_000)
    expect(texts()[0]).toContain('Undo')
    vi.advanceTimersByTime(1_000)
    expect(texts()).toEqual(['<p role="status">Started</p>'])
  } finally {
    vi.useRealTimers()
  }
})
