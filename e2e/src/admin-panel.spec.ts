import { expect, test } from './test.ts'

test('the four lists of the System Admin Panel, and an organisation and a user made and deleted', async ({
  signedIn,
}) => {
  const page = await signedIn('superadmin')
  await page.getByRole('link', { name: 'System Admin Panel' }).click()
  for (const name of ['Organisation', 'User', 'Template', 'Assigned'])
    await expect(page.getByRole('heading', { level: 2, name, exact: true })).toBeVisible()
  const list = (name: string) => page.getByRole('table', { name, exact: true })
  await expect(list('Organisation').getByRole('row').nth(1).getByRole('cell').first()).toHaveText('1')

  await page.getByRole('button', { name: 'Create Organization' }).click()
  const organisation = page.getByRole('dialog', { name: 'Create Organization' })
  await organisation.getByRole('textbox').fill('Initech Institute')
  await organisation.getByRole('textbox').press('Enter')
  await expect(list('Organisation')).toContainText('Initech Institute')

  await page.getByRole('button', { name: 'Create User' }).click()
  const user = page.getByRole('dialog', { name: 'Create User' })
  await user.getByLabel('Email').fill('  peter@initech.test ')
  await user.getByRole('textbox', { name: 'Password' }).fill('a-long-enough-Password-1')
  await user.getByLabel('Organization').selectOption('Initech Institute')
  await user.getByRole('button', { name: 'Create', exact: true }).click()
  await expect(list('User')).toContainText('peter@initech.test')

  await page.getByRole('button', { name: 'Delete peter@initech.test' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click()
  await expect(list('User')).not.toContainText('peter@initech.test')

  await page.getByRole('button', { name: 'Delete Acme Learning', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click()
  await expect(page.getByRole('alert')).toBeVisible()
  await expect(list('Organisation')).toContainText('Acme Learning')

  await page.getByRole('button', { name: 'Delete Initech Institute', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click()
  await expect(list('Organisation')).not.toContainText('Initech Institute')
})
