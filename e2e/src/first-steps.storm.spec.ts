import { expectNoAxeProblems } from './expect-no-axe-problems.ts'
import { expect, NEW_PASSWORD, signIn, test } from './test.ts'

const CUSTOMER = 'First Steps Institute'
const ADMIN = 'first-admin@steps.test'
const LEARNER = 'first-learner@steps.test'
const TEMPLATE = 'Ubuntu 24.04 Starter'

test('Home lists the first steps of a superadmin, an admin and a learner until they are done', async ({
  signedIn,
  browser,
  portal,
}) => {
  const superadmin = await signedIn('superadmin')
  await expect(superadmin.getByRole('list', { name: 'Checks without problems' })).toBeVisible()
  const steps = superadmin.getByRole('list', { name: 'First steps' })
  await expect(steps).toHaveCount(0)
  const call = async (method: string, path: string, data: object) => {
    const reply = await superadmin.request.fetch(`/api${path}`, { method, headers: { origin: portal.url }, data })
    expect(reply.ok(), await reply.text()).toBe(true)
  }
  // Removes the other customers from the reply, as in an installation with at most one customer.
  let customers: string[] = []
  await superadmin.route('**/api/admin/organization', (route) =>
    route.request().method() === 'GET' ? route.fulfill({ json: { organization: customers } }) : route.fallback(),
  )
  // Tests share the supplier settings and may have completed them.
  let problems = ['Still missing in the supplier settings: legal name.']
  await superadmin.route('**/api/admin/supplier', async (route) => {
    const reply = await route.fetch()
    await route.fulfill({ json: { ...((await reply.json()) as object), problems } })
  })
  await superadmin.goto('/')
  await steps.getByRole('button', { name: 'Create the first customer' }).click()
  const form = superadmin.getByRole('dialog')
  await form.getByLabel('Organization').fill(CUSTOMER)
  await form.getByRole('button', { name: 'Next' }).click()
  await form.getByLabel(TEMPLATE).check()
  await form.getByRole('button', { name: 'Next' }).click()
  await form.getByLabel('Email of the first admin').fill('invited-admin@steps.test')
  await expectNoAxeProblems(superadmin, [
    [1440, 'light'],
    [390, 'dark'],
  ])
  customers = [CUSTOMER]
  await form.getByRole('button', { name: 'Create Customer' }).click()
  await expect(steps.getByRole('listitem')).toHaveText([
    'Try the providers and the mail server',
    'Fill in the supplier settings',
    '✓Done: Create the first customer',
    '✓Done: Invite the customer’s admin',
    '✓Done: Assign a template to the customer',
    'Set the customer’s credit limit',
  ])
  await expect(superadmin.getByRole('button', { name: 'Try a demo class' })).toBeVisible()
  await expectNoAxeProblems(superadmin, [
    [1440, 'light'],
    [390, 'dark'],
  ])

  await call('PATCH', '/admin/organization/profile', { organization: CUSTOMER, creditLimit: 1_00_000 })
  await call('DELETE', '/admin/assignTemplate', { organization: CUSTOMER, template: TEMPLATE })
  await call('POST', '/admin/users', {
    email: ADMIN,
    password: NEW_PASSWORD,
    organization: CUSTOMER,
    userType: 'admin',
  })
  const admin = await browser.newPage({ baseURL: portal.url })
  await signIn(admin, ADMIN, NEW_PASSWORD)
  const adminSteps = admin.getByRole('list', { name: 'First steps' })
  await expect(adminSteps.getByRole('listitem')).toHaveText([/^Receive a template/, 'Order the first machines'])
  await call('POST', '/admin/assignTemplate', { organization: CUSTOMER, template: TEMPLATE })
  problems = []
  await superadmin.goto('/')
  await expect(superadmin.getByRole('list', { name: 'Checks without problems' })).toBeVisible()
  await expect(steps).toHaveCount(0)
  await admin.reload()
  await expect(adminSteps.getByRole('listitem').first()).toHaveText(/^✓Done: Receive a template/)

  await admin.getByRole('button', { name: 'Try a demo class' }).click()
  const demo = admin.getByRole('region', { name: 'Demo class' })
  const openTerminal = demo.getByRole('button', { name: /^Open the terminal/ }).first()
  await expect(openTerminal).toBeEnabled({ timeout: 60_000 })
  await expectNoAxeProblems(admin, [
    [1440, 'light'],
    [390, 'dark'],
  ])
  const terminal = admin.context().waitForEvent('page')
  await openTerminal.click()
  await expect((await terminal).getByRole('status')).toHaveText(/^Connected as /)
  await (await terminal).close()
  await demo.getByRole('button', { name: 'Delete the demo class' }).click()
  await admin.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await expect(demo).toHaveCount(0)
  await adminSteps.getByRole('link', { name: 'Order the first machines' }).click()
  await expect(admin.getByRole('heading', { level: 1 })).toHaveText('Provision New Instance')

  await call('POST', '/admin/users', {
    email: LEARNER,
    password: NEW_PASSWORD,
    organization: CUSTOMER,
    userType: 'user',
  })
  const order = await admin.request.post('/api/azure/machines', {
    headers: { origin: portal.url },
    data: {
      organization: CUSTOMER,
      trainingName: 'First Class',
      templateName: TEMPLATE,
      email: [LEARNER],
      allocatedHours: 600,
      createVmCount: 1,
      guacamole: true,
    },
  })
  expect(order.ok(), await order.text()).toBe(true)
  await admin.goto('/')
  await expect(admin.getByRole('table', { name: 'Trainings' })).toContainText('First Class')
  await expect(adminSteps).toHaveCount(0)

  const learner = await browser.newPage({ baseURL: portal.url })
  await signIn(learner, LEARNER, NEW_PASSWORD)
  const last = learner.getByRole('list', { name: 'First steps' })
  await expect(last.getByRole('listitem').first()).toHaveText(/^✓Done: /)
  await learner.getByRole('button', { name: /^Power Off/ }).click()
  await expect(learner.getByRole('main')).toContainText('Stopped')
  await expect(last.getByRole('listitem').first()).toHaveText(/^✓Done: /)
  await learner.getByRole('button', { name: /^Power On/ }).click()
  const opened = learner.context().waitForEvent('page')
  await last.getByRole('button', { name: /^Open your machine/ }).click()
  await expect((await opened).getByText('Instructors ask you before they watch this screen.')).toBeVisible()
  const read = learner.waitForResponse('**/api/azure/operations?*')
  await learner.reload()
  await read
  await expect(last).toHaveCount(0)
  await admin.close()
  await learner.close()
})
