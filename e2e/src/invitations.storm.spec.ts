import { expectNoAxeProblems } from './expect-no-axe-problems.ts'
import { openClassSettings } from './class-settings.ts'
import { navigate } from './navigate.ts'
import { expect, test } from './test.ts'
import { orderTraining } from './training.ts'

const TRAINING = 'A class with invitations'
const WRONG = 'ashaa.rao@acme.test'
const RIGHT = 'asha.rao.invited@acme.test'

test('an instructor’s page shows who opened the invitation, and a rejected address is corrected', async ({
  signedIn,
  newPageAs,
  portal,
}) => {
  await portal.postToEmulator('/_faults', {
    kind: 'rejectRecipient',
    operation: 'Mail_Recipient',
    name: WRONG,
    message: '5.1.1 No such user here',
  })
  const page = await signedIn('admin')
  await orderTraining(page, TRAINING, [WRONG, 'vikram.invited@acme.test'])
  await navigate(page, `/vm/class?training=${encodeURIComponent(TRAINING)}`)
  await openClassSettings(page, 'Invitations')
  const dialog = page.getByRole('dialog', { name: 'Invitations' })
  const lines = dialog.getByRole('list', { name: 'Invitations' }).getByRole('listitem')
  await expect(lines.first()).toContainText('Invitation rejected: 550 5.1.1 No such user here')
  await expect(lines.nth(1)).toContainText('Invitation delivered')
  await expectNoAxeProblems(page, [
    [1440, 'light'],
    [390, 'dark'],
  ])

  await test.step('the learner opens the link, which names the class', async () => {
    const mail = (await portal.mails()).find(({ to }) => to.includes('vikram.invited@acme.test'))!
    expect(mail.subject).toBe(`Your invitation to ${TRAINING} at Acme Learning`)
    const learner = await newPageAs('learner@acme.test')
    await learner.goto(/http\S+#token=\S+/.exec(mail.text)![0])
    await expect(learner.getByText('Welcome, vikram.invited@acme.test of Acme Learning.')).toBeVisible()
    await expect(lines.filter({ hasText: 'vikram' })).toContainText('Opened the link')
  })

  await test.step('the corrected address gets a new invitation', async () => {
    await dialog.getByRole('button', { name: `Edit address ${WRONG}` }).click()
    const form = page.getByRole('dialog', { name: `Correct ${WRONG}` })
    await form.getByLabel('Email').fill(RIGHT)
    await form.getByRole('button', { name: 'Save and Invite' }).click()
    await expect(lines.filter({ hasText: RIGHT })).toContainText('Invitation delivered')
    await expect(dialog).not.toContainText(WRONG)
  })
})
