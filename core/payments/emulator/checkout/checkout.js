/*
 * Script for a shop's page. `new Razorpay(options).open()` shows the checkout in a frame over the page and reports the
 * result: `handler({razorpay_payment_id, razorpay_order_id, razorpay_signature})` after a payment,
 * `modal.ondismiss()` if the checkout was closed without one, and `on('payment.failed', ({ error }) => ...)` after each
 * failed attempt.
 */
;(() => {
  const origin = new URL(document.currentScript.src).origin

  class Razorpay {
    #options
    #listeners = new Map()
    #frame = null
    #onMessage = (event) => this.#handleMessage(event)
    #focusedBefore = null

    constructor(options) {
      for (const name of ['key', 'order_id']) {
        if (typeof options?.[name] !== 'string') throw new TypeError(`Razorpay: options.${name} is missing.`)
      }
      this.#options = options
    }

    on(event, listener) {
      this.#listeners.set(event, [...(this.#listeners.get(event) ?? []), listener])
      return this
    }

    open() {
      if (this.#frame !== null) return
      const { key, order_id, amount, currency, name, description, prefill, theme } = this.#options
      const shown = {
        key,
        order_id,
        amount,
        currency,
        name,
        description,
        ...prefix('prefill', prefill),
        color: theme?.color,
      }
      const query = new URLSearchParams(Object.entries(shown).filter(([, value]) => value !== undefined))
      const frame = document.createElement('iframe')
      frame.src = `${origin}/v1/checkout/embedded?${query}`
      frame.title = 'Checkout'
      frame.allow = 'payment'
      frame.style.cssText =
        'position:fixed;inset:0;width:100%;height:100%;border:0;z-index:2147483647;color-scheme:light'
      this.#focusedBefore = document.activeElement
      this.#frame = frame
      window.addEventListener('message', this.#onMessage)
      document.body.append(frame)
      frame.addEventListener('load', () => frame.focus())
    }

    close() {
      if (this.#frame === null) return
      window.removeEventListener('message', this.#onMessage)
      this.#frame.remove()
      this.#frame = null
      this.#focusedBefore?.focus?.()
    }

    #handleMessage(event) {
      if (event.origin !== origin || event.source !== this.#frame?.contentWindow) return
      const { event: name, data } = event.data ?? {}
      if (name === 'paid') {
        this.close()
        this.#options.handler?.(data)
      } else if (name === 'dismissed') {
        this.close()
        this.#options.modal?.ondismiss?.()
      } else if (name === 'failed') {
        for (const listener of this.#listeners.get('payment.failed') ?? []) listener({ error: data })
      }
    }
  }

  const prefix = (word, fields) =>
    Object.fromEntries(Object.entries(fields ?? {}).map(([name, value]) => [`${word}[${name}]`, value]))

  window.Razorpay = Razorpay
})()
