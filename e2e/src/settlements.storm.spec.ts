import { axeProblems } from './axe.ts'
import { waitForPaint } from './screens.ts'
import { expect, test } from './test.ts'

const DAY = 86_400

test('shows a settled payment with its fee, its lines, and the lines that the ledger does not have', async ({
  newPageAs,
  portal,
}) => {
  const payer = await newPageAs('admin@acme.test', '/ledger/account')
  await payer.getByRole('button', { name: 'Make a Payment' }).click()
  const dialog = payer.getByRole('dialog', { name: 'Make a Payment' })
  await dialog.getByLabel('Amount (₹)').fill('1000')
  await dialog.getByRole('button', { name: 'Continue to the checkout' }).click()
  const checkout = payer.frameLocator('iframe[title="Checkout"]')
  await checkout.getByRole('button', { name: 'Pay ₹1,000.00' }).click()
  await checkout.getByRole('button', { name: 'Success', exact: true }).click()
  await expect(payer.getByRole('status').filter({ hasText: 'Payment successful and verified!' })).toBeVisible()
  await payer.close()
  await portal.advanceClock(7 * DAY)
  await portal.postToEmulator('/_settlements/lines', {
    entity_id: 'pay_AnotherShop01',
    type: 'payment',
    debit: 0,
    credit: 25_000,
    amount: 25_000,
    fee: 0,
    tax: 0,
    currency: 'INR',
    settled: true,
    settlement_id: 'setl_AnotherShop1',
    settlement_utr: '1796016600shop01',
    settled_at: Math.floor(portal.now().getTime() / 1000) - DAY,
  })
  await portal.runTask('read settlements')

  const page = await newPageAs('superadmin@demo.test', '/ledger/settlements')
  const section = page.getByRole('main')
  await expect(async () => {
    await page.reload()
    await expect(section.getByRole('table', { name: 'Settlements' })).toContainText('setl_AnotherShop1', {
      timeout: 2_000,
    })
  }).toPass()
  const settled = section.getByRole('row').filter({ hasText: '₹976.40' })
  for (const part of ['₹1,000.00', '₹20.00', '₹3.60']) await expect(settled).toContainText(part)
  const difference = section.getByRole('table', { name: 'Differences from the ledger' }).getByRole('row').nth(1)
  await expect(difference).toContainText('pay_AnotherShop01')
  await expect(difference).toContainText('another shop may use this provider account')
  await expect(
    section.getByText(/^Balance of Payment Provider: -₹250\.00\. Waiting for settlement: ₹0\.00\.$/),
  ).toBeVisible()
  await waitForPaint(page)
  expect(await axeProblems(page)).toEqual([])

  await settled.getByRole('button').click()
  const lines = page.getByRole('dialog', { name: /^Settlement setl_/ })
  await expect(lines.getByRole('row').nth(1)).toContainText('Acme Learning')
  await expect(lines).toContainText(/Posted on .*: ₹976\.40 to Bank\./)
  await waitForPaint(page)
  expect(await axeProblems(page)).toEqual([])
})
