import { expect, test } from './test.ts'

test('creates a service key, shows it once, and revokes it', async ({ signedIn, portal }) => {
  const page = await signedIn('admin', '/admin/keys')
  await page.getByRole('button', { name: 'Create API Key' }).click()
  const form = page.getByRole('dialog', { name: 'Create API Key' })
  await form.getByRole('button', { name: 'Create', exact: true }).click()
  await expect(form).toContainText('Enter a name.')
  await expect(form).toContainText('Select at least one scope.')
  await form.getByLabel('Name').fill('Nightly report')
  await form.getByLabel('Kind').selectOption({ label: 'Service key: all admins of the organisation see and revoke it' })
  await form.getByLabel('List trainings').check()
  await form.getByRole('button', { name: 'Create', exact: true }).click()
  const keyDialog = page.getByRole('dialog', { name: 'Your new API key' })
  const key = /try_live_\w+/.exec(await keyDialog.innerText())![0]
  await keyDialog.getByRole('button', { name: 'I have saved it' }).click()
  const row = page.getByRole('table', { name: 'API Keys' }).getByRole('row').filter({ hasText: 'Nightly report' })
  await expect(row).toContainText('training:read')
  await expect(row).toContainText('Never')
  expect(await page.content()).not.toContain(key)

  const trainings = () =>
    fetch(`${portal.url}/api/azure/trainingName?organization=Acme+Learning`, {
      headers: { authorization: `Bearer ${key}` },
    })
  const reply = await trainings()
  expect(await reply.json()).toHaveProperty('trainingNames')
  await row.getByRole('button', { name: 'Revoke the key Nightly report' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
  await expect(page.getByRole('status').filter({ hasText: 'The API key Nightly report was revoked.' })).toBeVisible()
  await expect(row).toHaveCount(0)
  expect((await trainings()).status).toBe(401)
})
