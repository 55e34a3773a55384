import { alignRect, createI420Frame, writeRgbaIntoI420, type I420Frame } from '@/server/phone/encoder/i420'
import type { Rect } from '@/server/phone/ui/contract'
import type { ScreenFeed } from './screen-feed'
import { scaleRect, shrinkRgba, type Size } from './video-size'

/** The picture an encoder reads: kept up to date by the damaged rectangles alone. */
export class VideoPicture {
  readonly frame: I420Frame
  readonly #feed: ScreenFeed
  readonly #screen: Size
  readonly #video: Size

  constructor(feed: ScreenFeed, screen: Size, video: Size) {
    this.#feed = feed
    this.#screen = screen
    this.#video = video
    this.frame = createI420Frame(video.width, video.height)
  }

  /** Takes damage of the screen over; returns it in pixels of the video. */
  update(damage: readonly Rect[]): Rect[] {
    return damage.map((rect) => this.#updateRect(rect)).filter((rect) => rect.width > 0 && rect.height > 0)
  }

  #updateRect(rect: Rect): Rect {
    const { width, height } = this.#video
    if (width === this.#screen.width && height === this.#screen.height) {
      const aligned = alignRect(rect, width, height)
      if (aligned.width > 0 && aligned.height > 0) writeRgbaIntoI420(this.frame, this.#feed.rgba(aligned), aligned)
      return aligned
    }
    const aligned = alignRect(scaleRect(rect, this.#screen, this.#video), width, height)
    if (aligned.width > 0 && aligned.height > 0) {
      const source = scaleRect(aligned, this.#video, this.#screen)
      const shrunk = shrinkRgba(this.#feed.rgba(source), source, aligned, this.#screen, this.#video)
      writeRgbaIntoI420(this.frame, shrunk, aligned)
    }
    return aligned
  }
}
