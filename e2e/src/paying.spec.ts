import type { FrameLocator, Page } from '@playwright/test'
import { formatRupees } from '@trainyard/platform/contract/words/money.ts'
import { axeProblems } from './axe.ts'
import { waitForPaint } from './screens.ts'
import { expect, test } from './test.ts'

const checkoutOf = (page: Page): FrameLocator => page.frameLocator('iframe[title="Checkout"]')

async function owed(page: Page): Promise<number> {
  const value = page.getByText('Overall Balance', { exact: true }).locator('xpath=following-sibling::dd[1]')
  await expect(value).toHaveText(/₹/)
  return Number((await value.innerText()).replaceAll(/[₹,\s]/g, ''))
}

/** Starts a payment on the account page. Returns the checkout, which shows the order. */
async function beginPayment(page: Page, amount: string): Promise<FrameLocator> {
  await page.getByRole('button', { name: 'Make a Payment' }).click()
  const dialog = page.getByRole('dialog', { name: 'Make a Payment' })
  await dialog.getByLabel('Amount (₹)').fill(amount)
  await dialog.getByRole('button', { name: 'Continue to the checkout' }).click()
  const checkout = checkoutOf(page)
  await expect(checkout.getByRole('dialog')).toBeVisible()
  return checkout
}

/** Clicks without waiting for the effect: the click removes the frame, so a check inside it could wait forever. */
const closeCheckout = (checkout: FrameLocator) => checkout.getByRole('button', { name: 'Close' }).click({ force: true })

test('an admin pays with the test card and sees the balance change', async ({ signedIn }) => {
  const page = await signedIn('admin')
  // The specified sentence is shown even if the reply has no message.
  await page.route('**/api/admin/ledger/paymentVerify', async (route) => {
    await route.fetch()
    await route.fulfill({ json: {} })
  })
  await page.getByRole('link', { name: 'Account', exact: true }).click()
  const before = await owed(page)
  await page.getByRole('button', { name: 'Make a Payment' }).click()
  const dialog = page.getByRole('dialog', { name: 'Make a Payment' })
  const amount = dialog.getByLabel('Amount (₹)')
  expect(Number(await amount.inputValue())).toBe(before)
  for (const invalid of ['', '0', '-1', '0.001', '1e9', 'ten']) {
    await amount.fill(invalid)
    await amount.press('Enter')
    await expect(dialog.getByRole('alert')).toHaveText('Please enter a valid amount.')
  }
  await amount.fill('1,234.50')
  const ordered = page.waitForResponse((response) => response.url().endsWith('/admin/ledger/order'))
  await amount.press('Enter')
  expect(await (await ordered).json()).toMatchObject({ amount: 1_234_50, currency: 'INR' })
  await expect(dialog).toHaveCount(0)

  const checkout = checkoutOf(page)
  await expect(checkout.getByRole('heading', { level: 1 })).toHaveText('Acme Learning')
  await expect(checkout.getByRole('dialog')).toContainText('admin@acme.test')
  await checkout.getByLabel('Card number').fill('4111 1111 1111 1111')
  await checkout.getByRole('button', { name: 'Pay ₹1,234.50' }).click()
  await checkout.getByRole('button', { name: 'Success', exact: true }).click()
  await expect(page.getByRole('status').filter({ hasText: 'Payment successful and verified!' })).toBeVisible()
  await expect(page.getByText(formatRupees((before * 100 - 1_234_50) / 100)).first()).toBeVisible()
  const newest = page.getByRole('table', { name: 'Transactions' }).getByRole('row').nth(1)
  await expect(newest).toContainText('₹1,234.50')
  await expect(newest).toContainText(/pay_\w+/)
  const download = page.waitForEvent('download')
  await newest.getByRole('button', { name: /^Receipt of pay_/ }).click()
  expect((await download).suggestedFilename()).toMatch(/^receipt-\d{4}-\d\d-\d\d\.pdf$/)
})

test('credits a payment whose tab was closed before it finished', async ({ signedIn, context, portal }) => {
  const page = await signedIn('admin', '/ledger/account')
  const before = await owed(page)
  const checkout = await beginPayment(page, '77.01')
  await checkout.getByRole('button', { name: 'Pay ₹77.01' }).click()
  await checkout.getByRole('button', { name: 'Success, but do not return here' }).click()
  await expect(checkout.getByRole('heading', { name: 'Waiting for your bank' })).toBeVisible()
  await page.close()
  await portal.advanceClock(120)

  const again = await context.newPage()
  await again.goto('/ledger/account')
  await expect(again.getByRole('table', { name: 'Transactions' })).toContainText('₹77.01')
  await expect.poll(() => owed(again)).toBe((before * 100 - 77_01) / 100)
})

test(
  'a closed checkout explains what happens to a payment, and shows the payment when it arrives',
  { tag: '@storm' },
  async ({ signedIn }) => {
    const page = await signedIn('admin', '/ledger/account')
    let checkout = await beginPayment(page, '55.55')
    await closeCheckout(checkout)
    await expect(page.getByText(/^The checkout was closed\. If you have already paid/)).toBeVisible()
    await expect(page.getByRole('button', { name: 'Make a Payment' })).toBeFocused()
    await page.getByRole('button', { name: 'Dismiss' }).click()
    await expect(page.getByText(/^The checkout was closed/)).toHaveCount(0)

    checkout = await beginPayment(page, '55.55')
    await checkout.getByRole('button', { name: 'Pay ₹55.55' }).click()
    await checkout.getByRole('button', { name: 'Success, but do not return here' }).click()
    await closeCheckout(checkout)
    await expect(page.getByText(/^₹55\.55 has been credited as pay_\w+\.$/)).toBeVisible()
  },
)

test('a payment that cannot be verified shows the support sentence, and credits only what the provider confirms', async ({
  signedIn,
}) => {
  const page = await signedIn('admin', '/ledger/account')
  const before = await owed(page)
  await page.route('**/api/admin/ledger/paymentVerify', (route) =>
    route.continue({ postData: { ...(route.request().postDataJSON() as object), signature: '0'.repeat(64) } }),
  )
  const checkout = await beginPayment(page, '10')
  await checkout.getByRole('button', { name: 'Pay ₹10.00' }).click()
  await checkout.getByRole('button', { name: 'Failure' }).click()
  await expect(checkout.getByRole('alert')).toContainText('declined')
  await checkout.getByRole('radio', { name: 'UPI' }).check()
  await checkout.getByRole('button', { name: 'Pay ₹10.00' }).click()
  await checkout.getByRole('button', { name: 'Success', exact: true }).click()
  await expect(page.getByRole('alert')).toHaveText('Payment verification failed. Please contact support.')
  // The money did arrive: only the provider's own record counts, not the browser's message.
  await expect(async () => {
    await page.reload()
    expect(await owed(page)).toBe((before * 100 - 10_00) / 100)
  }).toPass()
})

test('opens the checkout with the amount in paise, a blue theme, the public key and the payer', async ({
  signedIn,
}) => {
  const page = await signedIn('admin')
  // The provider's script defines the checkout as a constructor. Record the options passed to it.
  await page.addInitScript(`Object.defineProperty(window, 'Razorpay', {
    set(Real) { this.Noted = class extends Real { constructor(given) { super(given); window.given = given } } },
    get() { return this.Noted },
  })`)
  const released = Promise.withResolvers<void>()
  await page.route('**/api/admin/ledger/accounts*', (route) => released.promise.then(() => route.continue()))
  await page.goto('/ledger/account')
  const pay = page.getByRole('button', { name: 'Make a Payment' })
  await expect(pay).toBeDisabled()
  await expect(pay).toHaveAccessibleDescription('The account has not loaded yet.')
  released.resolve()
  await expect(pay).toBeEnabled()
  await beginPayment(page, '12.34')
  const options = (await page.evaluate('JSON.parse(JSON.stringify(window.given))')) as Record<string, unknown>
  expect(options).toMatchObject({
    key: expect.stringMatching(/^rzp_/),
    order_id: expect.stringMatching(/^order_/),
    amount: 12_34,
    currency: 'INR',
    name: 'Acme Learning',
    prefill: { name: 'Acme Learning', email: 'admin@acme.test' },
  })
  const [red = 0, green = 0, blue = 0] = (options['theme'] as { color: string }).color
    .match(/[\da-f]{2}/g)!
    .map((part) => Number.parseInt(part, 16))
  expect(blue).toBeGreaterThan(1.5 * Math.max(red, green))
})

test(
  'a superadmin refunds part of a payment with a reason, and the account shows it',
  { tag: '@storm' },
  async ({ signedIn }) => {
    const admin = await signedIn('admin', '/ledger/account')
    const before = await owed(admin)
    const checkout = await beginPayment(admin, '90')
    await checkout.getByRole('button', { name: 'Pay ₹90.00' }).click()
    await checkout.getByRole('button', { name: 'Success', exact: true }).click()
    await expect(admin.getByRole('status').filter({ hasText: 'Payment successful and verified!' })).toBeVisible()
    await expect(admin.getByRole('heading', { name: 'Refunds' })).toHaveCount(0)

    const page = await signedIn('superadmin', '/ledger/account?organization=Acme+Learning')
    await page.getByRole('button', { name: 'Refund a Payment' }).click()
    const dialog = page.getByRole('dialog', { name: 'Refund a Payment' })
    await expect(dialog.getByLabel('Amount (₹)')).toHaveValue('90')
    await dialog.getByLabel('Amount (₹)').fill('90.01')
    await dialog.getByRole('button', { name: 'Refund', exact: true }).click()
    await expect(dialog.getByRole('alert')).toHaveText([
      'At most ₹90.00 of this payment can be refunded.',
      'Enter a reason.',
    ])
    await waitForPaint(page)
    expect(await axeProblems(page)).toEqual([])
    await dialog.getByLabel('Amount (₹)').fill('30.50')
    await dialog.getByLabel('Reason').fill('One seat was not used')
    await dialog.getByRole('button', { name: 'Refund ₹30.50' }).click()
    await expect(page.getByRole('status').filter({ hasText: /^₹30\.50 of pay_\w+ will be refunded\.$/ })).toBeVisible()
    const refunds = page.getByRole('table', { name: 'Refunds' })
    await expect(refunds.getByRole('row').nth(1)).toContainText('Paid back')
    await waitForPaint(page)
    expect(await axeProblems(page)).toEqual([])
    await expect(page.getByRole('table', { name: 'Transactions' })).toContainText('-₹30.50')
    await expect.poll(() => owed(page)).toBe((before * 100 - 59_50) / 100)
  },
)

test('requests a payment from a customer, who pays it by its link', { tag: '@storm' }, async ({ signedIn, portal }) => {
  const page = await signedIn('superadmin', '/ledger/account?organization=Acme+Learning')
  await page.getByRole('button', { name: 'Request a Payment' }).click()
  const dialog = page.getByRole('dialog', { name: 'Request a Payment' })
  await dialog.getByLabel('Days to pay').fill('91')
  await dialog.getByRole('button', { name: 'Request' }).click()
  await expect(dialog.getByRole('alert')).toHaveText([
    'Enter at least ₹1, with at most two decimals.',
    'Enter what it is for.',
    'Enter 1 to 90 days.',
  ])
  await waitForPaint(page)
  expect(await axeProblems(page)).toEqual([])
  await dialog.getByLabel('Amount (₹)').fill('45.50')
  await dialog.getByLabel('For').fill('Seats of November')
  await dialog.getByLabel('Days to pay').fill('7')
  await dialog.getByRole('button', { name: 'Request ₹45.50' }).click()
  await expect(page.getByRole('status').filter({ hasText: '₹45.50 requested from Acme Learning.' })).toBeVisible()
  const paymentRequests = page.getByRole('table', { name: 'Payment Requests' })
  await expect(paymentRequests.getByRole('row').nth(1)).toContainText('Open')
  // Each admin gets the same link; another test may have created more admins.
  const links = async () => [
    ...new Set(
      (await portal.mails()).flatMap(({ text }) => /\/ledger\/account\?request=[\da-f-]+/.exec(text)?.[0] ?? []),
    ),
  ]
  await expect.poll(async () => (await links()).length).toBe(1)

  const [link] = await links()
  const admin = await signedIn('admin', link)
  const paying = admin.getByRole('dialog', { name: 'Make a Payment' })
  await expect(paying.getByLabel('Amount (₹)')).toHaveValue('45.50')
  await expect(paying).toContainText('Seats of November')
  await waitForPaint(admin)
  expect(await axeProblems(admin)).toEqual([])
  await paying.getByRole('button', { name: 'Continue to the checkout' }).click()
  const checkout = checkoutOf(admin)
  await checkout.getByRole('button', { name: 'Pay ₹45.50' }).click()
  await checkout.getByRole('button', { name: 'Success', exact: true }).click()
  await expect(admin.getByRole('status').filter({ hasText: 'Payment successful and verified!' })).toBeVisible()
  await expect(admin.getByRole('table', { name: 'Payment Requests' }).getByRole('row').nth(1)).toContainText('Paid')
  await admin.goto(link!)
  await expect(admin.getByRole('status').filter({ hasText: 'This request has been paid.' })).toBeVisible()
})
