import { navigate } from './navigate.ts'
import { expect, test } from './test.ts'

test('creates a token, maps a group, and lets a training follow it', async ({ signedIn, portal }) => {
  const page = await signedIn('admin', '/admin/directory')
  const section = page.getByRole('region', { name: 'User Provisioning' })
  await section.getByRole('button', { name: 'Create Token' }).click()
  const form = page.getByRole('dialog', { name: 'Create Token' })
  await form.getByRole('button', { name: 'Create', exact: true }).click()
  await expect(form).toContainText('Enter a name.')
  await form.getByLabel('Name').fill('Okta')
  await form.getByRole('button', { name: 'Create', exact: true }).click()
  const tokenDialog = page.getByRole('dialog', { name: 'Your new token' })
  const token = /try_scim_\w+/.exec(await tokenDialog.innerText())![0]
  await tokenDialog.getByRole('button', { name: 'I have saved it' }).click()

  const send = (method: string, path: string, body?: object) =>
    fetch(`${portal.url}/scim/v2${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/scim+json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
  const scim = async (path: string, body: object) =>
    ((await (await send('POST', path, body)).json()) as { id: string }).id
  const user = await scim('/Users', { userName: 'provisioned@acme.test', displayName: 'Pia Provisioned' })
  const group = await scim('/Groups', { displayName: 'Class of Pia', members: [{ value: user }] })
  await page.reload()
  const row = section.getByRole('table', { name: 'Groups' }).getByRole('row').filter({ hasText: 'Class of Pia' })
  await row.getByLabel('Access level of Class of Pia').selectOption('user')
  await expect(page.getByRole('status').filter({ hasText: 'The mapping of Class of Pia is saved.' })).toBeVisible()

  await navigate(page, '/vm/roster?organization=Acme+Learning&training=Linux+101')
  await page.getByRole('button', { name: 'Follow a List' }).click()
  const follow = page.getByRole('dialog', { name: 'Follow a List' })
  await follow.getByLabel('Machines', { exact: true }).selectOption('none')
  await follow.getByRole('button', { name: 'Follow', exact: true }).click()
  await expect(page.getByRole('table', { name: 'Members' })).toContainText('Pia Provisioned')
  await page.getByRole('button', { name: 'Stop Following' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Stop Following' }).click()
  await expect(page.getByRole('button', { name: 'Follow a List' })).toBeVisible()

  await send('DELETE', `/Groups/${group}`)
  await send('DELETE', `/Users/${user}`)
  const tokens = section.getByRole('table', { name: 'Tokens' })
  await navigate(page, '/admin/directory')
  await tokens.getByRole('button', { name: 'Revoke the token Okta' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
  await expect(page.getByRole('status').filter({ hasText: 'The token Okta was revoked.' })).toBeVisible()
})
