/** Whether the texts of a page can be read, by the contrast of WCAG 2.2 § 1.4.3. */
import type { Page } from 'playwright-core';

/** The least ratio of text that is not large. */
const MINIMUM = 4.5;

export interface TextContrast {
  readonly text: string;
  readonly ratio: number;
}

type Colour = readonly [red: number, green: number, blue: number, alpha: number];

interface ShownText {
  readonly text: string;
  /** Colour, then the backgrounds behind it, from near to far. */
  readonly colours: readonly string[];
  /** From 0 to 1. */
  readonly opacity: number;
}

/** The shown texts whose contrast is too low; those of disabled controls are exempt, as in the standard. */
export async function faintTexts(page: Page): Promise<readonly TextContrast[]> {
  const shown = await page.evaluate<readonly ShownText[]>(READ_TEXTS);
  if (shown.length === 0) throw new Error('The page shows no text');
  return shown
    .map(({ text, colours, opacity }) => {
      const [[red, green, blue, alpha], ...behind] = colours.map(parseColour) as [Colour, ...Colour[]];
      const ground = behind.reduceRight(blend, [255, 255, 255, 1]);
      const ink = blend(ground, [red, green, blue, alpha * opacity]);
      return { text, ratio: contrast(ink, ground) };
    })
    .filter(({ ratio }) => ratio < MINIMUM);
}

/** Runs in the page. A colour is asked of a canvas, which knows every notation. */
const READ_TEXTS = `(() => {
  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const toRgb = (colour) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data].join(',');
  };
  const texts = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const text = walker.currentNode.textContent.trim();
    const element = walker.currentNode.parentElement;
    if (text === '' || !element.checkVisibility() || element.closest('.sr-only, :disabled, script, option')) continue;
    const colours = [getComputedStyle(element).color];
    let opacity = 1;
    for (let box = element; box; box = box.parentElement) {
      const style = getComputedStyle(box);
      colours.push(style.backgroundColor);
      opacity *= Number(style.opacity);
    }
    texts.push({ text, opacity, colours: colours.map(toRgb) });
  }
  return texts;
})()`;

function parseColour(text: string): Colour {
  const [red = 0, green = 0, blue = 0, alpha = 0] = text.split(',').map(Number);
  return [red, green, blue, alpha / 255];
}

/** The second colour laid over the first, which is opaque. */
function blend(under: Colour, over: Colour): Colour {
  const [red, green, blue] = [0, 1, 2].map((part) => over[part]! * over[3] + under[part]! * (1 - over[3]));
  return [red!, green!, blue!, 1];
}

function contrast(a: Colour, b: Colour): number {
  const [dark, light] = [luminance(a), luminance(b)].sort((one, other) => one - other);
  return (light! + 0.05) / (dark! + 0.05);
}

function luminance(colour: Colour): number {
  const [red, green, blue] = colour.slice(0, 3).map((part) => {
    const value = part / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
}
