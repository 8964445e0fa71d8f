import type { Page } from '@playwright/test'
import { axeProblems } from './axe.ts'
import { clicks } from './clicks.ts'
import { navigate } from './navigate.ts'
import { SIZES } from './picture.ts'
import { expect, test } from './test.ts'
import { orderTraining } from './training.ts'

const TRAINING = 'Class by session'
const SEARCH = '?training=Class+by+session'

/** Returns the Monday after the next one, in the zone of Acme Learning, and other days of its week. */
function weekAhead(now: Date): { monday: string; tuesday: string; wednesday: string; name: (date: string) => string } {
  const today = new Date(`${new Intl.DateTimeFormat('sv-SE', { timeZone: 'Asia/Kolkata' }).format(now)}T00:00Z`)
  const after = (days: number) => new Date(today.getTime() + days * 86_400_000).toISOString().slice(0, 10)
  const toMonday = ((8 - today.getUTCDay()) % 7 || 7) + 7
  const name = (date: string) =>
    new Intl.DateTimeFormat('en-GB', { weekday: 'long', day: 'numeric', month: 'short', timeZone: 'UTC' })
      .format(new Date(date))
      .replace(',', '')
      // dayjs writes the month with three letters.
      .replace('Sept', 'Sep')
  return { monday: after(toMonday), tuesday: after(toMonday + 1), wednesday: after(toMonday + 2), name }
}

const week = (page: Page) => page.getByRole('main')

test('a weekly class takes three clicks, fills the tables below, and is changed by date', async ({
  signedIn,
  portal,
}) => {
  const page = await signedIn('admin')
  await orderTraining(page, TRAINING, ['weekly@acme.test'])
  const { monday, tuesday, wednesday, name } = weekAhead(portal.now())
  await navigate(page, `/vm/calendar${SEARCH}&week=${monday}`)
  const counted = await clicks(page)
  await week(page).getByRole('button', { name: 'New session', exact: true }).click()
  const form = page.getByRole('dialog', { name: 'New session' })
  await form.getByRole('button', { name: 'Create sessions' }).focus()
  await form.getByText('Mon', { exact: true }).click()
  await expect(form.getByRole('region', { name: 'Preview' })).toContainText('13 sessions')
  await expect(form.getByRole('region', { name: 'Preview' })).toContainText('to be ready at 09:00')
  await expect(form).toContainText('The access window of learners changes from all times to 09:00 to 17:00 on Mon.')
  expect(await axeProblems(page, { within: '[role=dialog]' })).toEqual([])
  await form.getByRole('button', { name: 'Create sessions' }).click()
  await expect(page.getByText('13 sessions are planned: Mon, 09:00 to 17:00.')).toBeVisible()
  expect(await counted()).toBe(3)
  const session = week(page).getByRole('button', { name: new RegExp(`^${name(monday)}, 09:00 to 17:00`) })
  await expect(session).toBeVisible()
  await week(page).getByRole('button', { name: 'Month', exact: true }).click()
  await expect(
    week(page)
      .getByRole('table')
      .getByRole('button', { name: /09:00 to 17:00/ })
      .first(),
  ).toBeVisible()
  await expect(session).toBeVisible()
  expect(await axeProblems(page)).toEqual([])
  await week(page)
    .getByRole('button', { name: `Week of ${name(monday)}` })
    .click()
  await expect(page).not.toHaveURL(/show=/)
  await navigate(page, `/vm/scheduler${SEARCH}`)
  const weekly = page.getByRole('table', { name: 'Weekly Schedules' })
  await expect(weekly.getByRole('row').filter({ hasText: 'Power On' })).toContainText('09:00')
  await expect(weekly.getByRole('row').filter({ hasText: 'Shut Down' })).toContainText('17:00')
  await expect(page.getByRole('table', { name: 'Schedules', exact: true }).getByRole('row')).toHaveCount(3)
  await navigate(page, `/vm/calendar${SEARCH}&week=${monday}`)

  // Drag over a day: from 10:00 to 12:00 on Wednesday.
  const column = week(page).getByRole('region', { name: name(wednesday) })
  const box = (await column.boundingBox())!
  const [headerHeight, hour] = [52, (box.height - 52) / 10]
  await page.mouse.move(box.x + box.width / 2, box.y + headerHeight + 2.2 * hour)
  await page.mouse.down()
  await page.mouse.move(box.x + box.width / 2, box.y + headerHeight + 3.8 * hour, { steps: 4 })
  await expect(week(page).getByText('10:00 to 12:00')).toBeVisible()
  await page.mouse.up()
  await expect(form.getByLabel('Starts')).toHaveValue('10:00')
  await expect(form.getByLabel('Ends')).toHaveValue('12:00')
  await form.getByText('Once', { exact: true }).click()
  await expect(form.getByLabel('Date')).toHaveValue(wednesday)
  await form.getByRole('button', { name: 'Create session' }).click()
  await expect(page.getByText(/^One session is planned/)).toBeVisible()

  // A drag to Tuesday at 14:00, and the arrow keys, open the change of that session.
  const once = week(page).getByRole('button', { name: new RegExp(`^${name(wednesday)}, 10:00 to 12:00`) })
  const held = (await once.boundingBox())!
  await page.mouse.move(held.x + held.width / 2, held.y + 10)
  await page.mouse.down()
  await page.mouse.move(held.x + held.width / 2 - held.width, held.y + 10 + 4 * hour, { steps: 5 })
  await expect(week(page).getByText('14:00 to 16:00')).toBeVisible()
  await page.mouse.up()
  const moved = page.getByRole('dialog', { name: /^Change session on/ })
  await expect(moved.getByLabel('Date')).toHaveValue(tuesday)
  await expect(moved.getByLabel('Starts')).toHaveValue('14:00')
  await expect(moved.getByLabel('Ends')).toHaveValue('16:00')
  await page.keyboard.press('Escape')
  await once.press('Shift+ArrowLeft')
  await expect(moved.getByLabel('Date')).toHaveValue(tuesday)
  await expect(moved.getByLabel('Starts')).toHaveValue('10:00')
  await page.keyboard.press('Escape')
  await once.press('Shift+ArrowDown')
  await moved.getByRole('button', { name: 'Save' }).click()
  await expect(
    week(page).getByRole('button', { name: new RegExp(`^${name(wednesday)}, 10:30 to 12:30`) }),
  ).toBeVisible()

  await session.press('Enter')
  const details = page.getByRole('dialog', { name: new RegExp(`^${name(monday)}`) })
  await expect(details).toContainText('only during sessions')
  expect(await axeProblems(page, { within: '[role=dialog]' })).toEqual([])
  await details.getByRole('button', { name: 'Skip this date' }).click()
  const skipped = week(page).getByRole('button', { name: /Skipped/ })
  await skipped.click()
  await page.getByRole('button', { name: 'Restore this session' }).click()
  await expect(skipped).toHaveCount(0)
  await session.click()
  await details.getByRole('button', { name: 'Change this session' }).click()
  const change = page.getByRole('dialog', { name: /^Change session on/ })
  await change.getByLabel('Starts').fill('08:00')
  await change.getByRole('button', { name: 'Save' }).click()
  await expect(week(page).getByRole('button', { name: new RegExp(`^${name(monday)}, 08:00 to 17:00`) })).toBeVisible()

  await week(page).getByRole('button', { name: 'Holidays' }).click()
  const holidays = page.getByRole('dialog', { name: 'Holidays' })
  await holidays.getByRole('button', { name: 'Add holiday' }).click()
  await expect(holidays.getByRole('alert')).toHaveText(['Enter a date.', 'Enter a name.'])
  await holidays.getByLabel('Date').fill(monday)
  await holidays.getByLabel('Name').fill('Founders Day')
  await holidays.getByRole('button', { name: 'Add holiday' }).click()
  await expect(holidays.getByRole('listitem')).toContainText('Founders Day')
  expect(await axeProblems(page, { within: '[role=dialog]' })).toEqual([])
  await page.keyboard.press('Escape')
  await expect(holidays).toHaveCount(0)
  await expect(week(page).getByRole('button', { name: /On a holiday: Founders Day/ })).toBeVisible()

  for (const colorScheme of ['light', 'dark'] as const) {
    for (const viewport of [SIZES.phone, { width: 1366, height: 768 }]) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await page.setViewportSize(viewport)
      await expect(week(page).getByRole('button', { name: /08:00 to 17:00/ })).toBeVisible()
      expect(await axeProblems(page)).toEqual([])
      expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true)
    }
  }
  await week(page)
    .getByRole('button', { name: /08:00 to 17:00/ })
    .click()
  await page.getByRole('button', { name: 'Cancel this and following' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click()
  await expect(page.getByText('13 sessions are cancelled.')).toBeVisible()
  await navigate(page, `/vm/scheduler${SEARCH}`)
  await expect(page.getByLabel('Last day of the training')).toBeVisible()
  await expect(page.getByRole('table', { name: 'Weekly Schedules' })).toBeHidden()
})
