import { html } from '@trainyard/platform/emulator/pages/html.ts'
import type { Order } from '../records.ts'

const style = (color: string): string => `
:root { --accent: ${color} }
* { box-sizing: border-box }
[hidden] { display: none !important }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 1rem; background: rgb(10 18 30 / .55); font: 16px/1.5 system-ui, sans-serif; color: #16202c }
main { width: min(26rem, 100%); background: #fff; border-radius: .75rem; overflow: hidden; box-shadow: 0 1rem 3rem rgb(0 0 0 / .35) }
header { background: var(--accent); color: #fff; padding: 1rem 1.25rem; display: grid; grid-template-columns: 1fr auto; gap: .25rem 1rem }
h1 { margin: 0; font-size: 1.1rem } h2 { font-size: 1rem; margin: 0 0 .75rem } h2:focus { outline: none }
.amount { font-size: 1.35rem; font-weight: 650; font-variant-numeric: tabular-nums } header p { margin: 0; font-size: .9rem }
section, form { padding: 1.25rem; display: grid; gap: .9rem }
fieldset { border: 0; margin: 0; padding: 0; display: grid; gap: .9rem } legend { font-weight: 600; padding: 0; margin-bottom: .35rem }
.methods { grid-template-columns: 1fr 1fr } .methods legend { grid-column: 1 / -1 }
.methods label { display: flex; gap: .5rem; align-items: center; border: 1px solid #b9c2cd; border-radius: .5rem; padding: .6rem .75rem }
.field { display: grid; gap: .25rem; font-size: .9rem } .pair { display: grid; grid-template-columns: 1fr 1fr; gap: .9rem }
input:not([type=radio]) { width: 100%; min-height: 2.75rem; padding: .4rem .7rem; font: inherit; border: 1px solid #7d8998; border-radius: .5rem; background: #fff; color: inherit }
button { min-height: 2.75rem; padding: .4rem 1rem; font: inherit; font-weight: 600; border-radius: .5rem; border: 1px solid var(--accent); background: #fff; color: #16202c; cursor: pointer }
button.main { background: var(--accent); color: #fff } header button { min-height: 2.25rem; border-color: #fff; background: transparent; color: #fff }
:focus-visible { outline: 3px solid #f2a900; outline-offset: 2px }
[role=alert] { color: #9b1c1c; margin: 0; padding: 0 1.25rem } [role=alert]:not(:empty) { padding-top: 1rem }
.quiet { color: #4a5462; font-size: .85rem; margin: 0 }
footer { padding: 0 1.25rem 1rem }
`

const defaultColor = '#0b57a4'

export interface ShopDetails {
  readonly key: string
  readonly name: string
  readonly description: string
  readonly email: string
  readonly contact: string
  readonly customer: string
  readonly color: string
}

export function checkoutPage(order: Order, shop: ShopDetails, nonce: string): string {
  const color = /^#[0-9a-f]{6}$/i.test(shop.color) ? shop.color : defaultColor
  const amount = new Intl.NumberFormat('en-IN', { style: 'currency', currency: order.currency }).format(
    order.amount / 100,
  )
  const { text } = html`<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Checkout</title>
<style nonce="${nonce}">`
  const { text: body } = html`</style>
</head>
<body data-key="${shop.key}" data-order="${order.id}">
<main>
<div role="dialog" aria-modal="true" aria-labelledby="shop">
<header>
  <h1 id="shop">${shop.name || 'Checkout'}</h1>
  <button type="button" data-close>Close</button>
  <p>${shop.description || 'Payment'}<br>${shop.customer} ${shop.email}</p>
  <p class="amount">${amount}</p>
</header>
<p role="alert"></p>
<form id="pay" novalidate>
  <fieldset class="methods">
    <legend>Pay with</legend>
    <label><input type="radio" name="method" value="card" checked> Card</label>
    <label><input type="radio" name="method" value="upi"> UPI</label>
  </fieldset>
  <fieldset data-method="card">
    <label class="field">Card number <input name="number" inputmode="numeric" autocomplete="off" value="4111 1111 1111 1111"></label>
    <div class="pair">
      <label class="field">Expiry <input name="expiry" autocomplete="off" value="12/30" placeholder="MM/YY"></label>
      <label class="field">CVV <input name="cvv" inputmode="numeric" autocomplete="off" value="123"></label>
    </div>
  </fieldset>
  <fieldset data-method="upi" hidden disabled>
    <label class="field">UPI ID <input name="vpa" autocomplete="off" value="success@razorpay"></label>
  </fieldset>
  <fieldset>
    <div class="pair">
      <label class="field">E-mail <input name="email" type="email" autocomplete="off" value="${shop.email}"></label>
      <label class="field">Phone <input name="contact" type="tel" autocomplete="off" value="${shop.contact}"></label>
    </div>
  </fieldset>
  <button class="main">Pay ${amount}</button>
</form>
<section id="bank" aria-labelledby="at-bank" hidden>
  <h2 id="at-bank" tabindex="-1">Bank confirmation: is this payment yours?</h2>
  <button type="button" class="main" data-answer="success">Success</button>
  <button type="button" data-answer="failure">Failure</button>
  <button type="button" data-answer="away">Success, but do not return here</button>
  <p class="quiet">The last option simulates a tab that is closed during the payment: the bank pays, but the shop's page is not notified.</p>
</section>
<section id="wait" aria-live="polite" hidden>
  <h2 tabindex="-1">Waiting for your bank ...</h2>
  <p class="quiet">You can close this tab. A successful payment will still be credited.</p>
</section>
<footer><p class="quiet">Test checkout. No money is transferred.</p></footer>
</div>
</main>
<script src="/v1/checkout/page.js"></script>
</body>
</html>`
  return `<!doctype html>\n${text}${style(color)}${body}`
}
