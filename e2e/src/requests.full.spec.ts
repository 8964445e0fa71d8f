import type { Page } from '@playwright/test'
import { axeProblems } from './axe.ts'
import { DEMO_USERS, expect, test } from './test.ts'

const rowWith = (page: Page, table: string, text: string) =>
  page.getByRole('table', { name: table }).getByRole('row').filter({ hasText: text })
const statusWith = (page: Page, text: string) => page.getByRole('status').filter({ hasText: text })

test(
  'a learner requests more hours from the menu of a machine, and reads why an admin refuses',
  { tag: '@storm' },
  async ({ signedIn, newPageAs }) => {
    const page = await signedIn('user', '/vm/vmdetails?training=Linux+101')
    await page
      .getByRole('button', { name: /^More actions for/ })
      .first()
      .click()
    await page.getByRole('menuitem', { name: 'Request Hours' }).click()
    await page.getByRole('button', { name: 'Request Hours' }).click()
    const form = page.getByRole('dialog', { name: 'Request Hours' })
    await form.getByRole('button', { name: 'Send Request' }).click()
    await expect(form).toContainText('Enter hours, at most 100.')
    await expect(form).toContainText('Enter why.')
    expect(await axeProblems(page, { within: '[role=dialog]' })).toEqual([])
    await form.getByLabel('More hours').fill('2.5')
    await form.getByLabel('Reason').fill('The last exercise is not finished')
    await form.getByRole('button', { name: 'Send Request' }).click()
    await expect(statusWith(page, 'Request sent. Your instructor or an admin decides it.')).toBeVisible()
    const ownRequest = rowWith(page, 'Your Requests', '2.5 more hours for')
    await expect(ownRequest).toContainText('Waiting for a decision')
    expect(await axeProblems(page)).toEqual([])

    const admin = await newPageAs(DEMO_USERS.admin, '/requests')
    await rowWith(admin, 'Waiting for Your Decision', 'The last exercise is not finished')
      .getByRole('button', { name: 'Decide' })
      .click()
    const decision = admin.getByRole('dialog', { name: 'Decide a Request' })
    await decision.getByRole('button', { name: 'Refuse' }).click()
    await expect(decision).toContainText('Enter why it is refused.')
    await decision.getByLabel('Reason of a refusal').fill('The class has ended')
    await decision.getByLabel('Reason of a refusal').press('Enter')
    await expect(decision).toContainText('Choose Refuse, or empty this field to approve.')
    await decision.getByRole('button', { name: 'Refuse' }).click()
    await expect(statusWith(admin, 'Request refused: 2.5 more hours for')).toBeVisible()
    await expect(admin.getByText('No request waits for your decision.')).toBeVisible()

    await page.reload()
    await expect(ownRequest).toContainText(`Refused by ${DEMO_USERS.admin}: The class has ended`)
  },
)

test('an admin requests another admin, whom a superadmin adds first, and withdraws the request', async ({
  signedIn,
  newPageAs,
}) => {
  const page = await signedIn('admin', '/requests')
  await page.getByRole('button', { name: 'Request an Admin' }).click()
  const form = page.getByRole('dialog', { name: 'Request an Admin' })
  await form.getByRole('button', { name: 'Send Request' }).click()
  await expect(form).toContainText('Enter an e-mail address such as name@example.com.')
  await form.getByLabel('New admin’s e-mail').fill('coordinator@acme.test')
  await form.getByLabel('Reason').fill('Our new coordinator')
  await form.getByRole('button', { name: 'Send Request' }).click()
  await expect(statusWith(page, 'Request sent. The supplier decides it.')).toBeVisible()

  const superadminPage = await newPageAs(DEMO_USERS.superadmin, '/requests')
  await rowWith(superadminPage, 'Waiting for Your Decision', 'coordinator@acme.test as an admin')
    .getByRole('button', { name: 'Decide' })
    .click()
  const decision = superadminPage.getByRole('dialog', { name: 'Decide a Request' })
  await expect(decision.getByRole('link', { name: 'System Admin Panel' })).toBeVisible()
  await decision.getByRole('button', { name: 'Approve' }).click()
  await expect(superadminPage.getByRole('alert').filter({ hasText: 'is not an admin yet' })).toBeVisible()

  const ownRequest = rowWith(page, 'Your Requests', 'coordinator@acme.test')
  await ownRequest.getByRole('button', { name: /^Withdraw/ }).click()
  await expect(ownRequest).toContainText('Withdrawn')
})
