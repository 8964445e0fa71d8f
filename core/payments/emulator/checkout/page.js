/* Script of the checkout page: pays by card or UPI, waits for the bank and reports the result to the shop's page. */
const order = document.body.dataset
const dialog = document.querySelector('[role=dialog]')
const steps = {
  pay: document.querySelector('#pay'),
  bank: document.querySelector('#bank'),
  wait: document.querySelector('#wait'),
}
const alertBox = document.querySelector('[role=alert]')
let payment = null

const report = (event, data) => window.parent.postMessage({ event, data }, '*')

function show(step) {
  for (const [name, section] of Object.entries(steps)) section.hidden = name !== step
  steps[step].querySelector('input:not([type=radio]), button, h2')?.focus()
}

async function read(reply) {
  const answer = await reply.json()
  if (!reply.ok) throw new Error(answer.error?.description ?? 'Something went wrong.')
  return answer
}

const get = async (path) => read(await fetch(`/v1/checkout${path}`))
const post = async (path, body) =>
  read(
    await fetch(`/v1/checkout${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }),
  )

const showError = (text) => (alertBox.textContent = text)

steps.pay.addEventListener('change', () => {
  const method = new FormData(steps.pay).get('method')
  for (const fields of steps.pay.querySelectorAll('fieldset[data-method]')) {
    const chosen = fields.dataset.method === method
    fields.hidden = !chosen
    fields.disabled = !chosen
  }
})

steps.pay.addEventListener('submit', (event) => {
  event.preventDefault()
  void pay()
})

async function pay() {
  showError('')
  const fields = Object.fromEntries(new FormData(steps.pay))
  try {
    ;({ payment_id: payment } = await post('/payments', { ...fields, key_id: order.key, order_id: order.order }))
    show('bank')
  } catch (error) {
    showError(error.message)
  }
}

for (const button of steps.bank.querySelectorAll('button[data-answer]')) {
  button.addEventListener('click', () => void sendAnswer(button.dataset.answer))
}

async function sendAnswer(answer) {
  show('wait')
  try {
    await post(`/payments/${payment}/bank`, { answer })
    if (answer !== 'away') await pollPayment()
  } catch (error) {
    showError(error.message)
    show('pay')
  }
}

/** Polls the payment until the bank has answered. */
async function pollPayment() {
  for (;;) {
    const result = await get(`/payments/${payment}`)
    if (result.status === 'captured') return report('paid', result.response)
    if (result.status === 'failed') {
      report('failed', result.error)
      showError(result.error.description)
      return show('pay')
    }
    await new Promise((resolve) => setTimeout(resolve, 300))
  }
}

const dismiss = () => report('dismissed')
for (const button of document.querySelectorAll('[data-close]')) button.addEventListener('click', dismiss)
document.addEventListener('keydown', (event) => {
  if (event.key === 'Escape') return dismiss()
  if (event.key !== 'Tab') return
  // Keep the focus in the dialog.
  const focusable = [...dialog.querySelectorAll('button, input, a[href]')].filter(
    (part) => part.checkVisibility() && !part.matches(':disabled'),
  )
  const last = event.shiftKey ? focusable[0] : focusable.at(-1)
  if (document.activeElement !== last) return
  event.preventDefault()
  ;(event.shiftKey ? focusable.at(-1) : focusable[0]).focus()
})
show('pay')
