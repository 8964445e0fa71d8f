import { axeProblems } from './axe.ts'
import { waitForPaint } from './screens.ts'
import { expect, test } from './test.ts'

test('an admin adds an endpoint, sends a test event, reads its request and reply, and deletes the endpoint', async ({
  signedIn,
  portal,
}) => {
  const page = await signedIn('admin', '/admin/webhooks')
  await page.getByRole('button', { name: 'Add endpoint' }).click()
  const form = page.getByRole('dialog', { name: 'Add endpoint' })
  await form.getByRole('button', { name: 'Add', exact: true }).click()
  await expect(form).toContainText('Enter an address.')
  await form.getByLabel('Address').fill('https://169.254.169.254/')
  await form.getByRole('button', { name: 'Add', exact: true }).click()
  await expect(page.getByRole('alert').filter({ hasText: 'an address of a private network' })).toBeVisible()
  const url = `${portal.emulatorUrl}/webhooks/receive?chat`
  await form.getByLabel('Address').fill(url)
  await form.getByLabel('Description').fill('Chat')
  await form.getByLabel('Send all events').uncheck()
  await form.getByLabel('A learner raised a hand').check()
  await form.getByRole('button', { name: 'Add', exact: true }).click()
  const secretDialog = page.getByRole('dialog', { name: 'Signing secret' })
  const secret = /whsec_[A-Za-z0-9+/=]+/.exec(await secretDialog.innerText())![0]
  await portal.postToEmulator('/_receiver', { secret })
  await secretDialog.getByRole('button', { name: 'I have saved it' }).click()
  expect(await page.content()).not.toContain(secret)

  const row = page.getByRole('table', { name: 'Webhook endpoints' }).getByRole('row').filter({ hasText: url })
  await expect(row).toContainText('hand.raised')
  await row.getByRole('button', { name: `Show the deliveries to ${url}` }).click()
  await page.getByRole('button', { name: 'Send test event' }).click()
  const deliveries = page.getByRole('table', { name: `Deliveries to ${url}` })
  await expect(deliveries.getByRole('row').filter({ hasText: 'webhook.test' })).toContainText('Delivered')
  await waitForPaint(page)
  expect(await axeProblems(page)).toEqual([])
  await deliveries.getByRole('button', { name: 'Show this delivery of webhook.test' }).click()
  const delivery = page.getByRole('dialog', { name: 'Delivery' })
  await expect(delivery).toContainText('webhook-signature: v1,')
  await expect(delivery).toContainText('{"received":true}')
  await waitForPaint(page)
  expect(await axeProblems(page, { within: '[role=dialog]' })).toEqual([])
  await delivery.getByRole('button', { name: 'Close', exact: true }).last().click()

  await page.goto(`${portal.emulatorUrl}/webhooks`)
  await expect(page.getByRole('row').filter({ hasText: 'webhook.test' })).toContainText('valid')
  await page.goBack()
  await row.getByRole('button', { name: `Show the deliveries to ${url}` }).click()
  await page.getByRole('main').getByRole('button', { name: 'Delete', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await expect(row).toHaveCount(0)
})
