import { axeProblems } from './axe.ts'
import { dateDaysAgo } from './invoicing.ts'
import { waitForPaint } from './screens.ts'
import { expect, test } from './test.ts'

const CUSTOMER = 'Globex Academy'
const NUMBER = 'REMIND-1'
const DAY = 24 * 3600_000

test('mails a reminder of an overdue invoice, shows the customer when, and lists the invoice as open until paid', async ({
  signedIn,
  newPageAs,
  portal,
}) => {
  const page = await signedIn('superadmin', '/admin/supplier/reminders')
  const section = page.getByRole('region', { name: 'Reminders', exact: true })
  await section.getByLabel('Reminders', { exact: true }).selectOption('on')
  await section.getByLabel('Days to Pay').fill('15')
  await section.getByLabel('Remind After Days').fill('20, 3')
  await section.getByRole('button', { name: 'Save Reminders' }).click()
  await expect(section).toContainText('Enter one to five days, each later than the one before, such as 3, 10, 20.')
  await section.getByLabel('Remind After Days').fill('3, 20')
  await section.getByRole('button', { name: 'Save Reminders' }).click()
  await expect(section.getByRole('button', { name: 'Save Reminders' })).toBeDisabled()
  await waitForPaint(page)
  expect(await axeProblems(page)).toEqual([])

  // The invoice has been due for five days: the first reminder is due, the second is not.
  const enter = async (type: 'invoice' | 'payment', id: string, amount: number, daysAgo: number) => {
    const date = dateDaysAgo(portal, daysAgo)
    const reply = await page.request.post('/api/admin/ledger/addTransaction', {
      headers: { origin: portal.url },
      data: { organization: CUSTOMER, type, id, amount, date },
    })
    expect(reply.ok(), await reply.text()).toBe(true)
  }
  const openPaise = async () => {
    const reply = await page.request.get('/api/admin/ledger/reminders', { params: { organization: CUSTOMER } })
    const { open } = (await reply.json()) as { open: { openPaise: number }[] }
    return open.reduce((sum, each) => sum + each.openPaise, 0)
  }
  const dueOn = dateDaysAgo(portal, 5)
  await enter('invoice', NUMBER, 900_000, 20)
  await portal.advanceClock(15 * 60)
  const reminders = async () =>
    (await portal.mails()).filter(({ subject }) => subject.startsWith(`Reminder: invoice ${NUMBER} was due on `))
  await expect.poll(async () => (await reminders()).length).toBe(1)
  const [mail] = await reminders()
  // Midnight may have passed since the invoice was entered.
  const overdue = (Date.parse(dateDaysAgo(portal, 0)) - Date.parse(dueOn)) / DAY
  expect(mail!.text).toMatch(
    new RegExp(String.raw`₹[\d,]+\.\d\d of invoice ${NUMBER} for ${CUSTOMER} was due on .*, ${overdue} days ago`),
  )

  const customerPage = await newPageAs('admin@globex.test', '/ledger/account')
  const sent = customerPage.getByRole('table', { name: 'Reminders' }).getByRole('row').filter({ hasText: NUMBER })
  await expect(sent).toContainText(mail!.to[0]!)
  const open = customerPage.getByRole('table', { name: 'Open Invoices' }).getByRole('row').filter({ hasText: NUMBER })
  await expect(open).not.toContainText('none')
  await waitForPaint(customerPage)
  expect(await axeProblems(customerPage)).toEqual([])

  await enter('payment', `${NUMBER} paid`, (await openPaise()) / 100, 0)
  await customerPage.reload()
  await expect(sent).toBeVisible()
  await expect(open).toHaveCount(0)
})
