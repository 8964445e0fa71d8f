import type { Locator, Page } from '@playwright/test'
import { axeProblems } from './axe.ts'
import { navigate } from './navigate.ts'
import { SIZES } from './picture.ts'
import { expect, test } from './test.ts'
import { orderTraining } from './training.ts'

test('previews a weekly schedule before it is saved, lists its next runs, and cancels it', async ({
  signedIn,
  portal,
}) => {
  const page = await signedIn('admin')
  await orderTraining(page, 'Every week', ['weekly@acme.test'])
  await navigate(page, '/vm/scheduler?training=Every+week')
  const year = portal.now().getUTCFullYear()
  const lastDay = page.getByLabel('Last day of the training')
  await lastDay.fill(`${year + 2}-02-10`)
  await page.getByRole('button', { name: 'Save last day' }).click()
  await expect(page.getByText('The last day of the training is set.')).toBeVisible()
  await page.reload()
  await expect(lastDay).toHaveValue(`${year + 2}-02-10`)
  await page.getByRole('button', { name: 'More to schedule' }).click()
  await page.getByRole('menuitem', { name: 'New Weekly Schedule' }).click()
  const form = page.getByRole('dialog', { name: 'New Weekly Schedule' })
  await form.getByRole('button', { name: 'Schedule Weekly' }).click()
  await expect(form.getByRole('alert')).toHaveText([
    'Choose at least one day of the week.',
    'Enter a time such as 09:30.',
    'Enter a date.',
  ])
  await expect(form.getByLabel('Monday')).toBeFocused()
  await form.getByText('Mon', { exact: true }).click()
  await form.getByText('Fri', { exact: true }).click()
  await form.getByText('Shut Down', { exact: true }).click()
  await form.getByLabel('Time', { exact: true }).fill('18:00')
  await form.getByLabel('From').fill(`${year + 1}-12-20`)
  await form.getByLabel('Until').fill(`${year + 2}-02-28`)
  await expect(form.getByRole('list', { name: 'Next runs' }).getByRole('listitem')).toHaveCount(10)
  await expect(form).toContainText(`after the end of the training, 10/02/${year + 2}.`)
  await expect(form).toContainText('After that, the run is skipped and shown as missed.')
  expect(await axeProblems(page)).toEqual([])
  await form.getByRole('button', { name: 'Schedule Weekly' }).click()
  await expect(form).toBeHidden()
  const row = page.getByRole('table', { name: 'Weekly Schedules' }).getByRole('row').nth(1)
  await expect(row).toContainText('Shut Down')
  await expect(row).toContainText('Mon, Fri')
  // The list of schedules shows only the next run.
  await expect(page.getByRole('table', { name: 'Schedules', exact: true }).getByRole('row')).toHaveCount(2)
  await checkCalendar(page, year + 1)
  await row.getByRole('button', { name: /^Delete/ }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click()
  await expect(page.getByRole('table', { name: 'Weekly Schedules' })).toBeHidden()
  await expect(page.getByText('Nothing is scheduled for this training.')).toBeVisible()
  await lastDay.fill('')
  await page.getByRole('button', { name: 'Save last day' }).click()
  await expect(page.getByText('The training has no last day.')).toBeVisible()
})

/** Checks the runs on Mondays and Fridays from 20 December in the calendar. */
async function checkCalendar(page: Page, year: number): Promise<void> {
  await page.getByRole('link', { name: 'Calendar', exact: true }).click()
  await page.getByRole('button', { name: 'Month', exact: true }).click()
  const mondaysAndFridays = (from: string, until: string) => {
    const days: number[] = []
    for (let day = new Date(from); day <= new Date(until); day.setUTCDate(day.getUTCDate() + 1)) {
      if (day.getUTCDay() === 1 || day.getUTCDay() === 5) days.push(day.getUTCDate())
    }
    return days
  }
  const stopDays = async (month: string) => {
    const grid = page.getByRole('table', { name: month })
    await expect(grid.getByRole('cell').filter({ hasText: '18:00 Shut Down' }).first()).toBeVisible()
    const cells = await grid.getByRole('cell').filter({ hasText: '18:00 Shut Down' }).allInnerTexts()
    return cells.map((text) => Number.parseInt(text, 10))
  }
  // The current month has no runs: the calendar links to the next one.
  await page.getByRole('button', { name: /^Go to the next/ }).click()
  expect(await stopDays(`December ${year}`)).toEqual(mondaysAndFridays(`${year}-12-20`, `${year}-12-31`))
  await page.getByRole('button', { name: 'Next month' }).click()
  expect(await stopDays(`January ${year + 1}`)).toEqual(mondaysAndFridays(`${year + 1}-01-01`, `${year + 1}-01-31`))
  await page.reload()
  expect(await stopDays(`January ${year + 1}`)).toHaveLength(
    mondaysAndFridays(`${year + 1}-01-01`, `${year + 1}-01-31`).length,
  )
  await page.getByRole('button', { name: 'Previous month' }).click()
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const [size, viewport] of Object.entries(SIZES)) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await page.setViewportSize(viewport)
      const list = size === 'phone' ? page.getByRole('list', { name: `December ${year}` }) : null
      if (list) await expect(list.getByRole('heading', { level: 3 }).first()).toContainText('Dec')
      expect(await axeProblems(page), `${size}, ${colorScheme}`).toEqual([])
    }
  }
  await page.setViewportSize(SIZES.wide)
  await page.getByRole('button', { name: 'Week', exact: true }).click()
  await expect(page).not.toHaveURL(/show=/)
  await page.getByRole('link', { name: 'Schedules', exact: true }).click()
  // On a phone, a column heading stays on one line.
  await page.setViewportSize(SIZES.phone)
  const schedules = page.getByRole('table', { name: 'Schedules', exact: true })
  expect(await linesOf(schedules.getByRole('columnheader', { name: 'Delete' }))).toBe(1)
  await page.setViewportSize(SIZES.wide)
}

const linesOf = (element: Locator) =>
  element.evaluate((it) => {
    const range = it.ownerDocument.createRange()
    range.selectNodeContents(it)
    return new Set([...range.getClientRects()].map(({ bottom }) => Math.round(bottom))).size
  })
