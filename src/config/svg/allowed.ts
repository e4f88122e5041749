const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/))

/** No element that runs, links to or embeds anything, and no filter whose cost grows with its parameters. */
export const allowedElements = words(`
  svg g defs symbol use title desc style switch
  path rect circle ellipse line polyline polygon text tspan textPath image
  linearGradient radialGradient stop pattern clipPath mask
  filter feBlend feColorMatrix feComponentTransfer feComposite feDropShadow feFlood feFuncA feFuncB feFuncG feFuncR
  feGaussianBlur feMerge feMergeNode feOffset
  animate animateTransform set`)

/** Elements whose text is kept. */
export const textElements = words('title desc style text tspan textPath')

export const gradients = words('linearGradient radialGradient')

export const animations = words('animate animateTransform set')

/** `href` and event handlers are checked separately. Other attributes have no effect and are left out. */
export const allowedAttributes = words(`
  id class style lang viewBox preserveAspectRatio width height x y x1 x2 y1 y2 cx cy r rx ry fx fy fr d points dx dy
  rotate pathLength textLength lengthAdjust startOffset transform transform-origin transform-box offset spreadMethod
  gradientUnits gradientTransform patternUnits patternContentUnits patternTransform clipPathUnits maskUnits
  maskContentUnits mask-type media type
  alignment-baseline baseline-shift clip clip-path clip-rule color color-interpolation color-interpolation-filters
  direction display dominant-baseline fill fill-opacity fill-rule filter flood-color flood-opacity font font-family
  font-size font-size-adjust font-stretch font-style font-variant font-weight image-rendering isolation letter-spacing
  mask mix-blend-mode opacity overflow paint-order shape-rendering
  stop-color stop-opacity stroke stroke-dasharray stroke-dashoffset stroke-linecap stroke-linejoin stroke-miterlimit
  stroke-opacity stroke-width text-anchor text-decoration text-rendering unicode-bidi vector-effect visibility
  word-spacing writing-mode
  filterUnits primitiveUnits in in2 result mode operator k1 k2 k3 k4 values stdDeviation edgeMode tableValues slope
  intercept amplitude exponent
  attributeName from to by begin dur end min max restart repeatCount repeatDur fill calcMode keyTimes keySplines
  additive accumulate`)

/** An animation of another attribute could change a reference after the check. */
export const isAnimated = (name: string): boolean =>
  allowedAttributes.has(name) && !['style', 'class', 'id', 'attributeName'].includes(name)

export const allowedFunctions = words(`
  url rgb rgba hsl hsla hwb lab lch oklab oklch color color-mix light-dark var calc min max clamp
  matrix translate translateX translateY scale scaleX scaleY rotate skewX skewY
  cubic-bezier steps blur drop-shadow brightness contrast grayscale hue-rotate invert opacity saturate sepia
  inset circle ellipse polygon path not is where has nth-child nth-of-type nth-last-child`)

export const allowedRules = words('media keyframes')
