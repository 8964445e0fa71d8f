import { addLabUser } from './lab-users.ts'
import { expect, test } from './test.ts'

test('a superadmin adds an AWS lab user, who receives a mail, signs in to AWS, and is deleted', async ({
  signedIn,
  portal,
  browser,
}) => {
  const page = await signedIn('superadmin')
  await addLabUser(page, 'AWS Lab Users', { username: 'asha.rao', personalEmail: 'asha@home.test', days: 3 })
  const email = 'asha.rao@aws.labs.test'
  const card = page.getByRole('listitem', { name: email })
  await expect(card).toContainText('Ready')
  await expect(card).toContainText('3 days')

  const mails = async () => (await portal.mails()).filter(({ to }) => to.includes('asha@home.test'))
  await expect.poll(async () => (await mails()).length).toBe(1)
  const [mail] = await mails()
  expect(mail!.text).toContain(email)
  const context = await browser.newContext({ baseURL: portal.url })
  const userPage = await context.newPage()
  await userPage.goto(/https?:\S+/.exec(mail!.text)![0])
  await userPage.getByLabel('New password').fill('asha-has-a-Password-1')
  await userPage.getByRole('button').click()
  await userPage.getByRole('link', { name: 'AWS Sandbox', exact: true }).click()
  await expect(userPage.getByRole('heading', { level: 1, name: 'AWS Sandbox' })).toBeVisible()
  await expect(userPage.getByRole('main')).toContainText(email)
  await userPage.getByRole('button', { name: 'Show how to sign in' }).click()
  const valueOfTerm = async (term: string) =>
    (
      await userPage
        .getByRole('definition')
        .filter({ has: userPage.getByLabel(`Copy the ${term}`) })
        .innerText()
    ).trim()
  const password = await valueOfTerm('First password')

  const opened = context.waitForEvent('page')
  await userPage.getByRole('link', { name: 'Open the AWS console' }).click()
  const console = await opened
  const signInThere = async () => {
    await console.goto((await userPage.getByRole('link', { name: 'Open the AWS console' }).getAttribute('href')) ?? '')
    await console.getByLabel('IAM username').fill('asha.rao')
    await console.getByLabel('Password').fill(password)
    await console.getByRole('button', { name: 'Sign in' }).click()
  }
  await signInThere()
  await expect(console.getByRole('status')).toContainText('asha.rao is signed in')
  await expect(console.getByRole('status')).toContainText('asks for a new password')

  await card.getByRole('button', { name: `Delete ${email}` }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click()
  await expect(page.getByRole('status').filter({ hasText: `User ${email} deleted successfully!` })).toBeVisible()
  await expect(async () => {
    await signInThere()
    await expect(console.getByRole('alert')).toBeVisible({ timeout: 5_000 })
  }).toPass()
  await userPage.reload()
  await expect(userPage).toHaveURL(/\/login/)
  await context.close()
})

test('an AWS lab user sees AWS Sandbox only', async ({ signedIn }) => {
  const page = await signedIn('awssandboxuser')
  await page.getByRole('link', { name: 'AWS Sandbox', exact: true }).click()
  await expect(page.getByRole('main')).toContainText('aws@demo.test')
  await expect(page.getByRole('link', { name: 'Open the AWS console' })).toBeVisible()
  await page.goto('/sandbox/aws/users')
  await expect(page.getByRole('heading', { level: 1 })).not.toHaveText('AWS Lab Users')
})
