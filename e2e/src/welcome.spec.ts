import { axeProblems } from './axe.ts'
import { waitForPaint } from './screens.ts'
import { expect, test } from './test.ts'

const OFFERS = ['Azure Virtual Instances', 'Google Cloud Sandbox', 'AWS Cloud Sandbox']

test('the landing page shows its three offers, in one request beside the font, and leads to the login page and back', async ({
  page,
}) => {
  const requests: string[] = []
  page.on('request', (request) => requests.push(request.url()))
  await page.goto('/welcome')
  const offers = page.getByRole('list', { name: 'What we offer' })
  await expect(offers.getByRole('heading', { level: 2 })).toHaveText(OFFERS)
  expect((await page.locator('.hero').boundingBox())!.width, 'the picture reaches the edge').toBe(1440)
  await expect(offers.getByRole('listitem').filter({ hasText: OFFERS[1] }).first()).toContainText('on request')
  await page.waitForLoadState('load')
  expect(requests.filter((url) => !url.startsWith('data:') && !url.endsWith('.woff2'))).toHaveLength(1)
  await page.getByRole('link', { name: 'Login' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Login' })).toBeVisible()
  await page.getByRole('link', { name: 'See what Trainyard offers' }).click()
  await expect(page).toHaveURL(/\/welcome$/)
})

test('Learn More opens Contact Us, which keeps the focus, closes on Escape, requires every field, and is sent', async ({
  page,
}) => {
  await page.goto('/welcome')
  const dialog = page.getByRole('dialog', { name: 'Contact Us' })
  for (const offer of OFFERS) {
    const opener = page.getByRole('button', { name: `Learn More about ${offer}` })
    await opener.press('Enter')
    await expect(dialog).toContainText(`About ${offer}`)
    await expect(dialog.getByLabel('Email')).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
    await expect(opener).toBeFocused()
  }

  await page.getByRole('button', { name: 'Learn More about AWS Cloud Sandbox' }).click()
  // The page behind never gets the focus, even after as many steps as it has controls.
  for (let steps = 0; steps < 12; steps++) {
    await page.keyboard.press('Tab')
    expect(await page.evaluate('document.activeElement.closest("dialog, body").contains(document.activeElement)')).toBe(
      true,
    )
    expect(await page.evaluate('document.activeElement.closest("header, main")')).toBeNull()
  }
  await waitForPaint(page)
  expect(await axeProblems(page)).toEqual([])

  const sent: string[] = []
  page.on('request', (request) => request.url().endsWith('/api/contact') && sent.push(request.postData() ?? ''))
  const fields = { Email: 'jane+lab@b.technology', Phone: '+91 98450 12345', 'Company Name': 'Asha Labs' }
  for (const [label, text] of Object.entries(fields)) {
    await dialog.getByRole('button', { name: 'Submit' }).click()
    await expect(dialog.getByLabel(label)).toBeFocused()
    await dialog.getByLabel(label).fill(text)
  }
  expect(sent).toEqual([])
  await dialog.getByLabel('Email').fill('asha')
  await dialog.getByRole('button', { name: 'Submit' }).click()
  await expect(dialog.getByLabel('Email')).toBeFocused()
  await dialog.getByLabel('Email').fill(fields.Email)
  await dialog.getByRole('button', { name: 'Submit' }).click()
  await expect(dialog.getByText('Thank you for contacting us.')).toBeVisible()
  expect(sent.map((body) => JSON.parse(body) as unknown)).toEqual([
    { email: 'jane+lab@b.technology', phone: '+91 98450 12345', companyName: 'Asha Labs' },
  ])
  await dialog.getByRole('button', { name: 'Close' }).click()
  await expect(dialog).toBeHidden()
})

test('the login page shows its partners and two testimonials', async ({ page }) => {
  await page.goto('/login')
  await expect(page.getByRole('region', { name: 'Partners' }).getByRole('listitem')).toHaveCount(4)
  await expect(page.getByRole('complementary', { name: 'What others say' }).getByRole('figure')).toHaveCount(2)
})
