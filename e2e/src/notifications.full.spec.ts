import { axeProblems } from './axe.ts'
import { DEMO_USERS, expect, test } from './test.ts'

test(
  'a raised hand counts at the bell of an admin, who reads it and marks it',
  { tag: '@storm' },
  async ({ signedIn, newPageAs }) => {
    const admin = await newPageAs(DEMO_USERS.admin, '/budgets')
    const bell = admin.getByRole('banner').getByRole('link', { name: /^Notifications/ })
    await expect(bell).toBeVisible()
    const page = await signedIn('user', '/vm/vmdetails?training=Linux+101')
    await page.getByRole('button', { name: 'Raise hand in Linux 101' }).click()
    await page.getByRole('button', { name: 'Stuck' }).click()
    await expect(bell).toHaveAccessibleName(/^Notifications, \d+ unread$/)
    await bell.click()
    const row = admin
      .getByRole('table', { name: 'Notifications' })
      .getByRole('row')
      .filter({ hasText: `${DEMO_USERS.user} raised a hand: Stuck.` })
    await expect(row).toContainText('Unread')
    expect(await axeProblems(admin)).toEqual([])
    await row.getByRole('button', { name: /^Mark as read/ }).click()
    await expect(row).not.toContainText('Unread')
    await row.getByRole('button', { name: /^Mark as unread/ }).click()
    await expect(row).toContainText('Unread')
    await admin.getByRole('button', { name: 'Mark all as read' }).click()
    await expect(bell).toHaveAccessibleName('Notifications')
    await page.getByRole('button', { name: 'Lower hand in Linux 101' }).click()
  },
)
