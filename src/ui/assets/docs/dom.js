let lastId = 0

/** Creates an element with children. Text is never parsed as HTML. */
export function el(tag, attributes = {}, ...children) {
  const element = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== false) element.setAttribute(name, value === true ? '' : value)
  }
  element.append(...children.flat(Infinity).filter((child) => child !== undefined && child !== ''))
  return element
}

/** Returns a label and its input, textarea or list. */
export function field(label, control) {
  lastId += 1
  control.id = `field-${lastId}`
  return el('div', { class: 'field' }, el('label', { for: control.id }, label), control)
}

export function button(label, onClick, attributes = {}) {
  const element = el('button', { type: 'button', class: 'quiet', ...attributes }, label)
  element.addEventListener('click', () => onClick(element))
  return element
}

/** Copies the block's text. If the clipboard is not available, selects the text instead. */
export function copyButton(block, texts) {
  return button(texts.copy, async (element) => {
    try {
      await navigator.clipboard.writeText(block.textContent)
    } catch {
      return getSelection().selectAllChildren(block)
    }
    element.textContent = texts.copied
    setTimeout(() => {
      element.textContent = texts.copy
    }, 1500)
  })
}

/** Renders `words between backticks` as code. */
export const prose = (text) =>
  text.split(/`([^`]+)`/).map((part, index) => (index % 2 === 1 ? el('code', {}, part) : part))

/** Allows a line break after each slash in a path. */
export const breakable = (path) => path.split(/(?<=\/)/).flatMap((part) => [part, el('wbr')])
