import { AxeBuilder } from '@axe-core/playwright'
import { expect, test } from './test.ts'
import { orderTraining } from './training.ts'

test('a weekly schedule is shown before it is saved, listed with its next runs, and cancelled', async ({
  signedIn,
  portal,
}) => {
  const page = await signedIn('admin')
  await orderTraining(page, 'Every week', ['weekly@acme.test'])
  await page.goto('/vm/scheduler?training=Every+week')
  await page.getByRole('button', { name: 'New Weekly Schedule' }).click()
  const form = page.getByRole('dialog', { name: 'New Weekly Schedule' })
  await form.getByRole('button', { name: 'Schedule Weekly' }).click()
  await expect(form.getByRole('alert')).toContainText('Choose at least one day of the week')
  const year = portal.now().getUTCFullYear()
  await form.getByText('Mon', { exact: true }).click()
  await form.getByText('Fri', { exact: true }).click()
  await form.getByText('Shut Down', { exact: true }).click()
  await form.getByLabel('Time', { exact: true }).fill('18:00')
  await form.getByLabel('From').fill(`${year + 1}-12-20`)
  await form.getByLabel('Until').fill(`${year + 2}-02-28`)
  await expect(form.getByRole('list', { name: 'Next runs' }).getByRole('listitem')).toHaveCount(10)
  await expect(form).toContainText('After that it is left out, and shown as missed.')
  expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([])
  await form.getByRole('button', { name: 'Schedule Weekly' }).click()
  await expect(form).toBeHidden()
  const row = page.getByRole('table', { name: 'Weekly Schedules' }).getByRole('row').nth(1)
  await expect(row).toContainText('Shut Down')
  await expect(row).toContainText('Mon, Fri')
  // Of its runs the list of schedules has the next alone.
  await expect(page.getByRole('table', { name: 'Schedules', exact: true }).getByRole('row')).toHaveCount(2)
  await row.getByRole('button', { name: /^Delete/ }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click()
  await expect(page.getByText('Nothing repeats by weekday for this training.')).toBeVisible()
  await expect(page.getByText('Nothing is scheduled for this training.')).toBeVisible()
})
