"""A question in, the sections that fit it best out, with what they say of the evidence."""
