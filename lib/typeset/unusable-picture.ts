/** Why a picture cannot be used. The message is a sentence for the maker of the picture, and repeats nothing of it. */
export class UnusablePicture extends Error {
  override readonly name = 'UnusablePicture';
}
