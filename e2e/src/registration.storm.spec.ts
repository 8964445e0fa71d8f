import type { Page } from '@playwright/test'
import { expectNoAxeProblems } from './expect-no-axe-problems.ts'
import { addAuthenticator } from './authenticator.ts'
import { expect, test } from './test.ts'
import { orderTraining } from './training.ts'

const TRAINING = 'Registered by a link'
const NEW_LEARNER = 'nandini.rao@acme.test'

const takeScreenshots = async (page: Page, name: string) => {
  const folder = process.env['E2E_LOOK']
  if (folder === undefined) return
  for (const width of [1366, 390]) {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.setViewportSize({ width, height: 900 })
      await page.emulateMedia({ colorScheme })
      await page.screenshot({ path: `${folder}/${name}-${width}-${colorScheme}.png`, fullPage: true })
    }
  }
  await page.setViewportSize({ width: 1440, height: 900 })
}

test('learners register with a link: one creates an account, one joins the waiting list and is approved', async ({
  portal,
  signedIn,
  newPageAs,
  browser,
}) => {
  const page = await signedIn('admin')
  await orderTraining(page, TRAINING, ['asha.rao@acme.test'])
  await page.goto(`/vm/registration?training=${encodeURIComponent(TRAINING)}`)
  const links = page.getByRole('table', { name: 'Registration links' })

  await test.step('the admin creates a link with one seat', async () => {
    await page.getByRole('button', { name: 'New Link' }).click()
    const form = page.getByRole('dialog', { name: 'New Registration Link' })
    await form.getByRole('button', { name: 'Create Link' }).click()
    await expect(form.getByRole('alert')).toHaveText('Enter a name.')
    await form.getByLabel('Name').fill('Mondays')
    await form.getByLabel('Seats').fill('1')
    await form.getByLabel('E-mail domains (optional)').fill('acme.test')
    await form.getByLabel('Machine of each seat').selectOption({ index: 1 })
    await form.getByLabel('Allocated hours (optional)').fill('10')
    await takeScreenshots(page, 'form')
    await expectNoAxeProblems(page, [
      [1440, 'light'],
      [390, 'dark'],
    ])
    await form.getByRole('button', { name: 'Create Link' }).click()
    await expect(links.getByRole('row', { name: /Mondays/ })).toContainText('0 of 1 taken')
    await takeScreenshots(page, 'links')
  })
  const code = await links
    .getByRole('row', { name: /Mondays/ })
    .locator('code')
    .innerText()

  await test.step('a visitor creates an account and lands on the machine', async () => {
    const context = await browser.newContext()
    const visitor = await context.newPage()
    await visitor.goto('/join/0000-0000-0000')
    await expect(visitor.getByRole('alert')).toContainText('This registration link is not valid.')
    await visitor.getByLabel('Registration code').fill(code.toUpperCase())
    await visitor.getByRole('button', { name: 'Open' }).click()
    await expect(visitor.getByRole('status')).toContainText(`Register for ${TRAINING} of Acme Learning.`)
    await expectNoAxeProblems(visitor, [
      [1440, 'light'],
      [390, 'dark'],
    ])
    await takeScreenshots(visitor, 'join')
    await visitor.getByLabel('E-mail').fill('nandini@mail.test')
    await visitor.getByRole('button', { name: 'Send the e-mail' }).click()
    await expect(visitor.getByRole('alert')).toContainText('It is only for addresses of acme.test.')
    await visitor.getByLabel('E-mail').fill(NEW_LEARNER)
    await visitor.getByRole('button', { name: 'Send the e-mail' }).click()
    await expect(visitor.getByRole('status')).toContainText('a link to continue is on its way')
    const confirmationUrl = async () => {
      const mail = (await portal.mails()).findLast(({ to }) => to.includes(NEW_LEARNER))
      return /http\S+#confirm=\S+/.exec(mail?.text ?? '')?.[0] ?? ''
    }
    await expect.poll(confirmationUrl).not.toBe('')
    await visitor.goto('about:blank')
    // Passkeys do not work with an IP address.
    await visitor.goto(
      (await confirmationUrl()).replace(
        new URL(await confirmationUrl()).origin,
        portal.url.replace('127.0.0.1', 'localhost'),
      ),
    )
    await expect(visitor.getByRole('status')).toContainText(`Create the account ${NEW_LEARNER} of Acme Learning.`)
    expect(new URL(visitor.url()).hash).toBe('')
    await expect(visitor.getByLabel('New password')).toBeVisible()
    await takeScreenshots(visitor, 'methods')
    await visitor.getByLabel('A passkey', { exact: true }).check()
    await expect(visitor.getByLabel('New password')).toBeHidden()
    await expectNoAxeProblems(visitor, [[390, 'dark']])
    await visitor.getByRole('button', { name: 'Create the account' }).click()
    await expect(visitor.getByRole('alert')).toContainText('No passkey was created.')
    await addAuthenticator(visitor)
    await visitor.getByRole('button', { name: 'Create the account' }).click()
    await expect(visitor.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem')).toHaveCount(10)
    await expectNoAxeProblems(visitor, [[390, 'dark']])
    await takeScreenshots(visitor, 'codes')
    await visitor.getByRole('button', { name: 'I have saved them' }).click()
    await visitor.getByLabel('Your name').fill('Nandini Rao')
    await takeScreenshots(visitor, 'seat')
    await visitor.getByRole('button', { name: 'Take a seat' }).click()
    await expect(visitor.getByRole('heading', { level: 1 })).toHaveText('Virtual Lab Console')
    await expect(visitor.getByText(/Creating|Running/).first()).toBeVisible()
    await takeScreenshots(visitor, 'machine')
    await visitor.goto(new URL(`/join/${code}`, visitor.url()).href)
    await expect(visitor.getByRole('heading', { level: 1 })).toHaveText('Virtual Lab Console')
    await context.close()
  })

  const waitingPage = await newPageAs('learner@acme.test', `/join/${code}`)
  await test.step('the link is full: a user joins the waiting list', async () => {
    await expect(waitingPage.getByRole('status')).toContainText('All seats are taken.')
    await waitingPage.getByLabel('Your name').fill('Some Learner')
    await waitingPage.getByRole('button', { name: 'Join the waiting list' }).click()
    await expect(waitingPage.getByRole('status')).toContainText('You are number 1 on the waiting list.')
    await expectNoAxeProblems(waitingPage, [[390, 'dark']])
    await takeScreenshots(waitingPage, 'waiting')
  })

  await test.step('the admin approves by a class list, gets a new code, and revokes the link', async () => {
    await links.getByRole('button', { name: 'Change Mondays' }).click()
    const form = page.getByRole('dialog', { name: 'Change Mondays' })
    await form.getByLabel('Approve each registration').check()
    await form.getByLabel('Seats').fill('2')
    await form.getByRole('button', { name: 'Save' }).click()
    await links.getByRole('button', { name: 'Registrations of Mondays' }).click()
    const queue = page.getByRole('dialog', { name: 'Registrations of Mondays' })
    await expect(queue.getByRole('row', { name: /learner@acme.test/ })).toContainText('On the waiting list')
    await queue.getByRole('button', { name: 'Approve by class list' }).click()
    await queue.getByLabel('Class list').fill('Some Learner <learner@acme.test>\nother@acme.test')
    await expect(
      queue.getByText('Waiting learners on your list: 1 of 1. Other addresses on your list: 1.'),
    ).toBeVisible()
    await takeScreenshots(page, 'queue')
    await expectNoAxeProblems(page, [
      [1440, 'light'],
      [390, 'dark'],
    ])
    await queue.getByRole('button', { name: 'Approve 1 learner on the list' }).click()
    await expect(queue.getByRole('row', { name: /learner@acme.test/ })).toContainText('Has a seat')
    await page.keyboard.press('Escape')
    await links.getByRole('button', { name: 'New code for Mondays' }).click()
    await page.getByRole('button', { name: 'Create the new code' }).click()
    await expect(links.getByRole('row', { name: /Mondays/ }).locator('code')).not.toHaveText(code)
    await links.getByRole('button', { name: 'Revoke Mondays' }).click()
    await page.getByRole('button', { name: 'Revoke', exact: true }).click()
    await expect(links.getByRole('row', { name: /Mondays/ })).toContainText('Revoked')
  })

  // Reset the learner's name, because other spec files use this account.
  const authorization = `Bearer ${await waitingPage.evaluate(() => localStorage.getItem('uid'))}`
  const renamed = await waitingPage.request.patch('/api/user/name', {
    headers: { authorization },
    data: { name: null },
  })
  expect(renamed.status()).toBe(200)
})
