/* The checkout's own page: pays by card or UPI, then asks the bank, and tells the shop that laid it over its page. */
const order = document.body.dataset
const dialog = document.querySelector('[role=dialog]')
const steps = {
  pay: document.querySelector('#pay'),
  bank: document.querySelector('#bank'),
  wait: document.querySelector('#wait'),
}
const alertBox = document.querySelector('[role=alert]')
let payment = null

const tell = (event, data) => window.parent.postMessage({ event, data }, '*')

function show(step) {
  for (const [name, section] of Object.entries(steps)) section.hidden = name !== step
  steps[step].querySelector('input:not([type=radio]), button, h2')?.focus()
}

async function read(reply) {
  const answer = await reply.json()
  if (!reply.ok) throw new Error(answer.error?.description ?? 'Something went wrong.')
  return answer
}

const look = async (path) => read(await fetch(`/v1/checkout${path}`))
const send = async (path, body) =>
  read(
    await fetch(`/v1/checkout${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }),
  )

const say = (text) => (alertBox.textContent = text)

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
  say('')
  const fields = Object.fromEntries(new FormData(steps.pay))
  try {
    ;({ payment_id: payment } = await send('/payments', { ...fields, key_id: order.key, order_id: order.order }))
    show('bank')
  } catch (error) {
    say(error.message)
  }
}

for (const button of steps.bank.querySelectorAll('button[data-answer]')) {
  button.addEventListener('click', () => void answerAs(button.dataset.answer))
}

async function answerAs(answer) {
  show('wait')
  try {
    await send(`/payments/${payment}/bank`, { answer })
    if (answer !== 'away') await follow()
  } catch (error) {
    say(error.message)
    show('pay')
  }
}

/** Asks until the bank has answered. */
async function follow() {
  for (;;) {
    const seen = await look(`/payments/${payment}`)
    if (seen.status === 'captured') return tell('paid', seen.response)
    if (seen.status === 'failed') {
      tell('failed', seen.error)
      say(seen.error.description)
      return show('pay')
    }
    await new Promise((resolve) => setTimeout(resolve, 300))
  }
}

const dismiss = () => tell('dismissed')
for (const button of document.querySelectorAll('[data-close]')) button.addEventListener('click', dismiss)
document.addEventListener('keydown', (event) => {
  if (event.key === 'Escape') return dismiss()
  if (event.key !== 'Tab') return
  // The focus stays in the dialog.
  const reachable = [...dialog.querySelectorAll('button, input, a[href]')].filter(
    (part) => part.checkVisibility() && !part.matches(':disabled'),
  )
  const last = event.shiftKey ? reachable[0] : reachable.at(-1)
  if (document.activeElement !== last) return
  event.preventDefault()
  ;(event.shiftKey ? reachable.at(-1) : reachable[0]).focus()
})
show('pay')
