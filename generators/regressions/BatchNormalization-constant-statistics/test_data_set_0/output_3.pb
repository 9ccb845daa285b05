
B
saved_meanJ²47/v7Ý/>4Ì5